package import APOD
internal import FoundationEssentials
package import Maintenance
package import Mirror
package import Platform
internal import Thumbnails
internal import Transfer
internal import Views

/// A mirror that a command writes while no daemon does, for `adopt` and `verify --repair`.
package struct MirrorWriter: Sendable {
    package let store: Store
    private let verification: Verification
    private let settings: Settings
    private let apiKey: String?

    /// `tree` must be open for writing.
    package init(_ tree: Tree, _ settings: Settings, apiKey: String?) throws {
        store = try Store(tree: tree, minimumFree: settings.minimumFree)
        verification = try Verification(of: store)
        self.settings = settings
        self.apiKey = apiKey
    }

    /// Requests NASA's entries of the days that have a picture but no record: this publishes them.
    ///
    /// - Returns: `nil` if there is no such day.
    package func publishAdoptedDays() async throws -> SyncSummary? {
        guard try !store.adoptedDays().isEmpty else { return nil }
        return try await sync(downloadsVideos: store.state().downloadsVideos)
    }

    /// Downloads `suspects`, and days whose pictures are here without a record.
    private func sync(
        retry: SyncPlan.Retry = .due, downloadsVideos: Bool = false,
        suspects: @escaping @Sendable () -> Set<Day> = { [] }
    ) async throws -> SyncSummary {
        // In a mirror that was copied, pictures may be misplaced: the sync would download them again.
        try verification.recoverCopy()
        let client = settings.client()
        let synchronizer = Synchronizer(
            feed: settings.feed(through: client, apiKey: apiKey), client: client, store: store,
            options: .init(
                since: nil, jobs: settings.jobs, downloadsVideos: downloadsVideos, rechecks: false),
            suspects: suspects)
        return await synchronizer.sync(retry: retry).summary()
    }

    // MARK: Repair

    /// Repairs `days`, and for `nil` what is of no day, and does at once what the daemon does after its repairs.
    ///
    /// `damage` was found now; other days have damage of earlier verifications. `isWhole` says that all bytes of all days
    /// were verified. `report` receives each repair as soon as its step is done, and `didSync` the result of a sync, if
    /// there is one.
    ///
    /// - Returns: The damage that is left.
    /// - Throws: ``VerifyStopped`` if the task is cancelled.
    package func repair(
        _ damage: [VerifyFinding], of days: Set<Day?>, isWhole: Bool, log: Log,
        report: (Repair) -> Void, didSync: (SyncSummary) -> Void
    ) async throws -> [UnrepairedFinding] {
        let start = Date()
        // Damage of no day, such as an unreadable directory, may be of any.
        let concernsAll = days.contains(nil)
        let days = Set(days.compactMap(\.self))
        let repairs = try await repair(
            days, verifiedAll: isWhole && !concernsAll, log, report, didSync)
        // A request of an earlier command is done; damage that is left is in `verify.json`, which the daemon reads, too.
        // After an error, the daemon carries the request out once more.
        if !Task.isCancelled { try? RepairRequest.remove(days, from: store.tree) }
        let left = try remaining(concernsAll ? .all : .days(days))
        return Unrepaired(store, since: start, repairs).findings(left, of: damage)
    }

    /// Verifies again, and returns the damage.
    private func remaining(_ scope: VerifyScope) throws -> [VerifyFinding] {
        let verifier = TreeVerifier(
            store.tree, try store.snapshots.current(),
            expecting: try VerifyExpectations(of: store.tree))
        let findings = try verifier.findings(in: scope)
        // The names and views of no day are verified with all days only.
        let others = scope == .all ? [] : verifier.findingsOfNoDay()
        return (findings + others).filter(\.isDamage)
    }

    /// - Returns: All attempts; of two for one file, the last one counts.
    private func repair(
        _ days: Set<Day>, verifiedAll: Bool, _ log: Log, _ report: (Repair) -> Void,
        _ didSync: (SyncSummary) -> Void
    ) async throws -> [Repair] {
        // No daemon runs that would make missing pins.
        let repairs = try verification.verify(.days(days), hasWriter: false).repairs
        repairs.forEach(report)
        let viewRepairs = verification.repairViews()
        viewRepairs.forEach(report)
        // The time of the verification, whether or not the repairs succeeded.
        if verifiedAll { try verification.recordVerificationOfAllDays() }
        try await runFollowUps(of: repairs, mayLackDays: days.isEmpty, log, didSync)
        // From here on, only repairs change days: ``remaining(_:)`` gets this snapshot with their months listed again.
        let snapshot = try store.snapshots.walk()
        if !viewRepairs.isEmpty {
            // The other views need settings of the daemon, which makes them again.
            let input = try ViewInput(
                store: store, snapshot: snapshot, thumbnails: Thumbnails(store: store))
            _ = try await LatestView().update(input)
        }
        guard repairs.contains(where: { !$0.isDone }), !Task.isCancelled else {
            return repairs + viewRepairs
        }
        // The copy of a favorite that was damaged with its picture is restored from the downloaded picture.
        let last = try verification.verify(.days(days), in: snapshot, hasWriter: false).repairs
        last.filter(\.isDone).forEach(report)
        return repairs + viewRepairs + last
    }

    /// Does what repairs leave to other parts of the program: a sync, a scan of `favorites/`, thumbnails.
    private func runFollowUps(
        of repairs: [Repair], mayLackDays: Bool, _ log: Log, _ didSync: (SyncSummary) -> Void
    ) async throws {
        // Damage of no day may be a lost directory: the sync finds out which days are missing.
        if mayLackDays || repairs.contains(where: { $0.action == .leftToSync }) {
            didSync(try await sync(retry: .transient) { verification.suspects })
        }
        if repairs.contains(where: { $0.action == .leftToScan }) {
            await FavoritesService(tree: store.tree, log: log).scanOnce()
        }
        // Damaged thumbnails are removed, and nothing else.
        if repairs.contains(where: { $0.action == .removed }) {
            await ThumbnailService(
                Thumbnails(store: store), log: log, changes: ChangeBroadcaster()
            ).makeMissing()
        }
    }
}
