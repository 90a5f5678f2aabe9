internal import APOD
package import Maintenance
package import Mirror
package import Platform
internal import Thumbnails

/// Does for `adopt` and `verify --repair`, while no daemon runs, the part of their work that requires a sync.
package struct MirrorWriter: Sendable {
    package let store: Store
    private let verification: Verification
    private let settings: Settings

    /// `tree` must be open for writing.
    package init(_ tree: Tree, _ settings: Settings) throws {
        store = try Store(tree: tree, minimumFree: settings.minimumFree)
        verification = Verification(store)
        self.settings = settings
    }

    /// Publishes the days of adopted pictures, with NASA's entries; returns `nil` if no picture waits for an entry.
    package func publishAdoptedDays() async throws -> SyncSummary? {
        guard try !store.adoptedDays().isEmpty else { return nil }
        return try await sync(downloadsVideos: store.state().downloadsVideos)
    }

    /// Publishes adopted pictures, and downloads the days that `damagedDays` returns.
    private func sync(
        downloadsVideos: Bool = false,
        damagedDays: @escaping @Sendable () -> Set<Day> = { [] }
    ) async throws -> SyncSummary {
        let client = settings.client()
        let synchronizer = Synchronizer(
            routes: settings.routes(through: client), client: client, store: store,
            options: .init(
                since: nil, jobs: settings.jobs, downloadsVideos: downloadsVideos, rechecks: false,
                mirrors: settings.mirrors),
            damagedDays: damagedDays)
        let summary = await synchronizer.sync(retry: .transient).summary()
        // The person who runs the command sees the new day: the command of --on-new must not run for it. An error only means
        // that it runs.
        if let newest = summary.newestWithFiles { try? NewDayState.skip(newest, in: store) }
        return summary
    }

    /// Repairs `findings`: at first from the mirror itself, then if necessary by a sync, a scan of favorites or new thumbnails.
    ///
    /// `findings` are all that a verification of the days of `scope` has found; if it `isWhole`, it has read all files of all
    /// days. `didSync` receives the result of the sync, if there was one.
    ///
    /// If the state of the verification cannot be saved, as on a full disk, `log` gets the error, and all other steps follow.
    ///
    /// - Returns: The damage that is left, found now or by an earlier verification.
    package func repair(
        _ findings: [VerifyFinding], of scope: VerifyScope, isWhole: Bool, log: Log,
        didSync: (SyncSummary) -> Void
    ) async throws -> [VerifyState.Damage] {
        var failure: SystemError?
        func attempt(_ step: () throws -> Void) throws {
            do {
                try step()
            } catch let error as SystemError where !error.isCancelled {
                failure = failure ?? error
            }
        }
        try attempt { _ = try verification.repair(findings, in: scope) }
        if isWhole { try attempt { try verification.recordVerificationOfAllDays() } }
        if !verification.daysToDownload.isEmpty {
            didSync(try await sync { verification.daysToDownload })
        }
        if findings.contains(where: { $0.item == .pin }) {
            await FavoritesService(of: store, log: log).scanOnce()
        }
        if findings.contains(where: { $0.item == .thumbnail }) {
            await ThumbnailService(
                thumbnails: Thumbnails(store: store), log: log, changes: ChangeBroadcaster()
            ).makeMissing()
        }
        // The days that the sync has repaired are no longer damaged.
        let damagedDays = verification.daysToDownload
        if !damagedDays.isEmpty, !Task.isCancelled {
            try attempt { _ = try verification.verify(damagedDays) }
        }
        let damage = try verification.damage
        if let failure {
            guard !damage.isEmpty else { throw failure }
            log.error("apod-mirror: \(failure.advice)")
        }
        return damage
    }
}
