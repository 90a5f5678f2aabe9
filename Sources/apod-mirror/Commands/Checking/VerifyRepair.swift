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

    /// Repairs what was found to be damaged, and the `recorded` damage of earlier verifications.
    ///
    /// `isWhole` says that all bytes of all days were verified. `report` receives each repair as soon as its step is done.
    ///
    /// - Returns: The damage that is left; `nil` if another process uses the mirror: then the daemon is asked to repair.
    /// - Throws: ``CommandError``, with the code of damaged files if nothing can be repaired.
    func run(
        _ damage: [VerifyFinding], recorded: [VerifyState.Damage], isWhole: Bool,
        report: (Repair) -> Void
    ) async throws -> [UnrepairedFinding]? {
        let damagedDays = damage.map(\.day) + recorded.map(\.day)
        let days = Set(damagedDays.compactMap(\.self))
        let start = Date()
        let tree: Tree
        do {
            tree = try arguments.openTreeForWriting()
        } catch TreeError.locked(_, let pid) {
            try leaveRequest(days, pid)
            return nil
        } catch let error as TreeError {
            // The exit code is still that of the damage that was found.
            throw CommandError("nothing is repaired: \(error)", .damaged)
        }
        // Damage of no day, such as an unreadable directory, may be of any.
        let concernsAll = damagedDays.contains(nil)
        let repairs = try await repair(days, tree, verifiedAll: isWhole && !concernsAll, report)
        // A request of an earlier command is done; damage that is left is in `verify.json`, which the daemon reads, too.
        // After an error, the daemon carries the request out once more.
        if !Task.isCancelled { try? RepairRequest.remove(days, from: tree) }
        let left = try remaining(concernsAll ? .all : .days(days), tree)
        return Unrepaired(tree, since: start, repairs).findings(left, of: damage)
    }

    /// Asks the daemon, which repairs before its next sync; `pid` is the process that uses the mirror.
    private func leaveRequest(_ days: Set<Day>, _ pid: Int32?) throws {
        do {
            try RepairRequest.leave(days, in: try arguments.openTree())
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
        do throws(VerifyStopped) {
            let findings = try verifier.findings(in: scope)
            // The names and views of no day are verified with all days only.
            let others = scope == .all ? [] : verifier.findingsOfNoDay()
            return (findings + others).filter(\.isDamage)
        } catch {
            throw CommandError("interrupted", .interrupted)
        }
    }

    /// Repairs `days` and the views; then does at once what the daemon does after its repairs.
    ///
    /// - Returns: All attempts; of two for one file, the last one counts.
    private func repair(
        _ days: Set<Day>, _ tree: Tree, verifiedAll: Bool, _ report: (Repair) -> Void
    ) async throws -> [Repair] {
        let store = try Store(tree: tree, minimumFree: settings.minimumFree)
        let verification = try Verification(
            store, expecting: { try VerifyExpectations(of: tree) })
        // No daemon runs that would make missing pins.
        let repairs = try verification.verify(.days(days), hasWriter: false).repairs
        repairs.forEach(report)
        let viewRepairs = try verification.repairViews()
        viewRepairs.forEach(report)
        // The time of the verification, whether or not the repairs succeeded.
        if verifiedAll { try verification.recordVerificationOfAllDays() }
        try await runFollowUps(
            of: repairs, mayLackDays: days.isEmpty, in: store, after: verification)
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
        // The copy of a favorite that was damaged with its picture is restored from the downloaded picture.
        let last = try verification.verify(.days(days), hasWriter: false).repairs
        last.filter(\.isDone).forEach(report)
        return repairs + viewRepairs + last
    }

    /// Does what repairs leave to other parts of the program: a sync, a scan of `favorites/`, thumbnails.
    private func runFollowUps(
        of repairs: [Repair], mayLackDays: Bool, in store: Store, after verification: Verification
    ) async throws {
        // Damage of no day may be a lost directory: the sync finds out which days are missing.
        if mayLackDays || repairs.contains(where: { $0.action == .leftToSync }) {
            // In a mirror that was copied, pictures may be misplaced: the sync would download them again.
            try verification.recoverCopy()
            let synchronizer = settings.synchronizer(for: store, apiKey: apiKey) {
                verification.suspects
            }
            let summary = await synchronizer.sync(retry: .transient).summary()
            if let message = summary.message { log.error("apod-mirror: \(message)") }
        }
        if repairs.contains(where: { $0.action == .leftToScan }) {
            await FavoritesService(tree: store.tree, log: log).scanOnce()
        }
        // Damaged thumbnails are removed, and nothing else.
        if repairs.contains(where: { $0.action == .removed }) {
            await ThumbnailService(
                Thumbnails(store: store), log: log, changes: ChangeBroadcaster()
            ).makeMissing(ignoresBackoff: true)
        }
    }
}
