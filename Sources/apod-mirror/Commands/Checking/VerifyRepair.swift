import APOD
import CommandLine
import Favorites
import Mirror
import Platform
import Service
import Thumbnails
import Transfer

/// `verify --repair`: repairs the damage that `verify` found, or asks the daemon to.
struct VerifyRepair {
    private let arguments: Arguments
    private let settings: Settings
    private let log: Log
    /// Called with each repair at once.
    private let report: (Repair) -> Void

    init(_ arguments: Arguments, report: @escaping (Repair) -> Void) throws {
        self.arguments = arguments
        self.report = report
        settings = try Settings(arguments)
        log = Log(threshold: .warning, environment: arguments.environment)
    }

    private var known: KnownMirrors { KnownMirrors(environment: arguments.environment) }

    /// Repairs `days` and `latest.*`.
    ///
    /// - Parameters:
    ///   - days: The days with damage.
    ///   - isComplete: Whether all days were verified.
    ///   - hasOthers: Whether there is also damage that belongs to no day, such as an unreadable directory.
    /// - Returns: The damage of these days that is left; of all days, if there was other damage.
    /// - Throws: ``CommandError``
    func run(_ days: Set<Day>, isComplete: Bool, hasOthers: Bool) async throws -> [Finding] {
        let scope = hasOthers ? VerifyScope.all : .days(days)
        do {
            let tree = try Tree.writing(settings.root, known: known)
            try await repair(days, tree, isComplete: isComplete)
            return try remaining(scope, tree, hasWriter: false)
        } catch TreeError.locked(_, let pid) {
            try await askDaemon(days, pid)
            return try remaining(
                scope, try Tree.reading(settings.root, known: known), hasWriter: true)
        } catch let error as TreeError {
            throw CommandError("nothing is repaired: \(error)", .damaged)
        }
    }

    private func remaining(
        _ scope: VerifyScope, _ tree: Tree, hasWriter: Bool
    ) throws -> [Finding] {
        var findings: [Finding] = []
        let verifier = TreeVerifier(
            tree, expecting: try VerifyExpectations(of: tree), hasWriter: hasWriter
        ) { event in
            if case .finding(let finding) = event, finding.isDamage { findings.append(finding) }
            return !Task.isCancelled
        }
        do {
            try verifier.run(scope)
            if scope != .all { try verifier.verifyNames() }
        } catch {
            throw CommandError("interrupted", .interrupted)
        }
        return findings
    }

    // MARK: Without a daemon

    private func repair(_ days: Set<Day>, _ tree: Tree, isComplete: Bool) async throws {
        let store = try Store(tree: tree, minimumFree: settings.minimumFree)
        let verification = Verification(
            store, expecting: { try VerifyExpectations(of: tree) })
        let repairs = try verification.verify(.days(days), isAlone: true).repairs
        repairs.forEach(report)
        if isComplete { try verification.recordComplete() }
        if days.isEmpty || repairs.contains(where: { $0.action == .leftToSync }) {
            try await sync(store, verification)
        }
        if repairs.contains(where: { $0.action == .leftToScan }) {
            await FavoritesService(tree: tree, spellings: [], wanted: WantedDays(), log: log)
                .scanOnce()
        }
        if repairs.contains(where: { $0.action == .removed }) {
            await ThumbnailService(
                Thumbnails(store: store), log: log, changes: ChangeBroadcaster()
            ).makeMissing(ignoresBackoff: true)
        }
        guard repairs.contains(where: { !$0.isDone }), !Task.isCancelled else { return }
        // A pin that shared its bytes with a picture is made again from the downloaded one.
        try verification.verify(.days(days), isAlone: true).repairs.filter(\.isDone)
            .forEach(report)
    }

    /// Downloads the damaged files again.
    private func sync(_ store: Store, _ verification: Verification) async throws {
        let hosts = HostBackoff()
        let client = settings.client(hosts: hosts)
        let feed = settings.feed(through: client, apiKey: try APIKey.find(arguments))
        let synchronizer = Synchronizer(
            feed: feed, client: client, hosts: hosts, store: store,
            options: .init(since: nil, jobs: settings.jobs, rechecks: false),
            suspects: { verification.suspects })
        let summary = await synchronizer.sync(retry: .transient).summary()
        if let message = summary.message { log.error("apod-mirror: \(message)") }
    }

    // MARK: Beside a daemon

    /// Asks the process that writes the mirror, and waits until it has carried out the request.
    private func askDaemon(_ days: Set<Day>, _ pid: Int32?) async throws {
        let tree = try Tree.reading(settings.root, known: known)
        do {
            try RepairRequest.publish(days, in: tree)
        } catch {
            throw CommandError(
                "cannot ask the daemon to repair: \(error); run the command as its user or as root",
                .damaged)
        }
        let process = pid.map { " (process \($0))" } ?? ""
        if try !arguments.isOn(.quiet) {
            StandardStream.error.write(
                "the daemon\(process) repairs; Ctrl+C ends the wait only,"
                    + " “apod-mirror status” shows the result\n")
        }
        while RepairRequest.read(from: tree) != nil {
            guard tree.writer != nil else {
                throw CommandError(
                    "the daemon has ended; run the command again, or start the daemon: it finds the"
                        + " request", .damaged)
            }
            try await LoopClock().sleep(for: .milliseconds(200))
        }
    }
}
