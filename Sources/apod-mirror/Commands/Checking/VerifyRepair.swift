import APOD
import CommandLine
import FoundationEssentials
import Maintenance
import Mirror
import Platform
import Service
import Thumbnails
import Views

/// `verify --repair`: repairs the damage that `verify` found, or asks the daemon to.
struct VerifyRepair {
    private let arguments: Arguments
    private let settings: Settings
    private let apiKey: String?
    private let log: Log

    init(_ arguments: Arguments) throws {
        self.arguments = arguments
        settings = try Settings(arguments)
        apiKey = try APIKey.find(arguments)
        log = Log(threshold: .warning, environment: arguments.environment)
    }

    /// Repairs the days with damage, and the views.
    ///
    /// - Parameters:
    ///   - damage: What was found.
    ///   - suspects: Further days, with damage that was recorded earlier.
    ///   - isComplete: Whether all days were verified.
    ///   - hasDamageOfNoDay: Whether some damage belongs to no day, such as an unreadable directory.
    ///   - report: Called with each repair at once.
    /// - Returns: The damage that is left, of these days, or of all if some belongs to no day; `nil` if another process
    ///   uses the mirror: then the daemon is asked to repair.
    /// - Throws: ``CommandError``
    func run(
        _ damage: [VerifyFinding], and suspects: Set<Day>, isComplete: Bool, hasDamageOfNoDay: Bool,
        report: (Repair) -> Void
    ) async throws -> [UnrepairedFinding]? {
        let days = suspects.union(damage.compactMap(\.day))
        let start = Date()
        let tree: Tree
        do {
            tree = try arguments.openTreeForWriting()
        } catch TreeError.locked(_, let pid) {
            try leaveRequest(days, pid)
            return nil
        } catch let error as TreeError {
            throw CommandError("nothing is repaired: \(error)", .damaged)
        }
        let repairs = try await repair(days, tree, isComplete: isComplete, report)
        RepairRequest.remove(days, from: tree)
        let left = try remaining(hasDamageOfNoDay ? .all : .days(days), tree)
        return Unrepaired(tree, since: start, repairs).findings(left, of: damage)
    }

    /// Asks the daemon, which repairs before its next sync; `pid` is the process that uses the mirror.
    private func leaveRequest(_ days: Set<Day>, _ pid: Int32?) throws {
        do {
            try RepairRequest.publish(days, in: try arguments.openTree())
        } catch {
            throw CommandError(
                "cannot ask the daemon to repair: \(error); run the command as its user or as root",
                .damaged)
        }
        let process = pid.map { "process \($0)" } ?? "another process"
        StandardStream.error.write(
            "\(process) uses the mirror: the daemon is asked to repair; “apod-mirror status” shows the result\n"
        )
    }

    /// Verifies again, and returns the damage.
    private func remaining(_ scope: VerifyScope, _ tree: Tree) throws -> [VerifyFinding] {
        let verifier = TreeVerifier(
            tree, try TreeSnapshot(of: tree.root), expecting: try VerifyExpectations(of: tree))
        do {
            let findings = try verifier.findings(in: scope)
            return (scope == .all ? findings : findings + verifier.findingsOfNoDay())
                .filter(\.isDamage)
        } catch {
            throw CommandError("interrupted", .interrupted)
        }
    }

    /// Repairs `days`; then does what the repairs leave to other parts of the program.
    ///
    /// - Returns: What was done, and what could not be done.
    private func repair(
        _ days: Set<Day>, _ tree: Tree, isComplete: Bool, _ report: (Repair) -> Void
    ) async throws -> [Repair] {
        let store = try Store(tree: tree, minimumFree: settings.minimumFree)
        let verification = Verification(
            store, expecting: { try VerifyExpectations(of: tree) })
        let repairs = try verification.verify(.days(days), hasWriter: false).repairs
        repairs.forEach(report)
        let viewRepairs = try verification.repairViews()
        viewRepairs.forEach(report)
        if isComplete { try verification.recordComplete() }
        if days.isEmpty || repairs.contains(where: { $0.action == .leftToSync }) {
            try await sync(store, verification)
        }
        if repairs.contains(where: { $0.action == .leftToScan }) {
            await FavoritesService(tree: tree, log: log).scanOnce()
        }
        if repairs.contains(where: { $0.action == .removed }) {
            await ThumbnailService(
                Thumbnails(store: store), log: log, changes: ChangeBroadcaster()
            ).makeMissing(ignoresBackoff: true)
        }
        if !viewRepairs.isEmpty {
            // The other views need settings of the daemon, which makes them again.
            let input = try ViewInput(
                store: store, snapshot: TreeSnapshot(of: tree.root),
                thumbnails: Thumbnails(store: store))
            _ = try await LatestView().update(input)
        }
        guard repairs.contains(where: { !$0.isDone }), !Task.isCancelled else {
            return repairs + viewRepairs
        }
        // A pin that shared its bytes with a picture is made again from the downloaded one.
        let last = try verification.verify(.days(days), hasWriter: false).repairs
        last.filter(\.isDone).forEach(report)
        return last + viewRepairs
    }

    /// Downloads the damaged files again.
    private func sync(_ store: Store, _ verification: Verification) async throws {
        try verification.recoverCopy()
        let client = settings.client()
        let feed = settings.feed(through: client, apiKey: apiKey)
        let synchronizer = Synchronizer(
            feed: feed, client: client, store: store,
            options: .init(since: nil, jobs: settings.jobs, rechecks: false),
            suspects: { verification.suspects })
        let summary = await synchronizer.sync(retry: .transient).summary()
        if let message = summary.message { log.error("apod-mirror: \(message)") }
    }
}
