internal import APOD
package import Maintenance
package import Mirror
package import Platform
internal import Thumbnails

/// Writes the mirror for the commands `adopt` and `verify --repair` while no daemon runs, by a sync of the days they name.
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

    /// Publishes adopted pictures, and downloads the files again that `damagedDays` lack, which include their videos.
    ///
    /// Other videos are downloaded only if `downloadsVideos`.
    private func sync(
        downloadsVideos: Bool = false, damagedDays: Set<Day> = []
    ) async throws -> SyncSummary {
        let client = settings.client()
        let synchronizer = Synchronizer(
            routes: settings.routes(through: client), client: client, store: store,
            options: .init(
                since: nil, jobs: settings.jobs, downloadsVideos: downloadsVideos, rechecks: false,
                mirrors: settings.mirrors),
            damagedDays: { damagedDays })
        let summary = await synchronizer.sync(retry: .transient).summary()
        // The person who runs the command sees the new day: the command of --on-new must not run for it. An error only means
        // that it runs.
        if let newest = summary.newestWithFiles { try? NewDayState.skip(newest, in: store) }
        return summary
    }

    /// Repairs `findings`, which are all that a verification of the days of `scope` has found.
    ///
    /// 1. Repairs from the mirror itself what it can, and records the rest.
    /// 2. Downloads the recorded days by a sync, if there are any; `didSync` receives its result.
    /// 3. Scans favorites for a lost pin, and makes lost thumbnails.
    /// 4. Verifies the recorded days again, because the sync may have repaired them.
    ///
    /// If the record cannot be saved, as on a full disk, the other steps follow. In the end, the first such error goes to `log`
    /// if damage is left, which shows anyway that the repair has failed. If `isWhole`, `findings` are those of all files of all
    /// days.
    ///
    /// - Returns: The damage that is left, found now or by an earlier verification.
    /// - Throws: The first error of saving, if no damage is left; or an error of the sync or of reading the record.
    package func repair(
        _ findings: [VerifyFinding], of scope: VerifyScope, isWhole: Bool, log: Log,
        didSync: (SyncSummary) -> Void
    ) async throws -> [VerifyState.Damage] {
        var firstError: SystemError?
        func attempt(_ step: () throws -> Void) throws {
            do {
                try step()
            } catch let error as SystemError where !error.isCancelled {
                firstError = firstError ?? error
            }
        }
        try attempt { _ = try verification.repair(findings, in: scope) }
        if isWhole { try attempt { try verification.recordVerificationOfAllDays() } }
        let daysToDownload = verification.daysToDownload
        if !daysToDownload.isEmpty { didSync(try await sync(damagedDays: daysToDownload)) }
        if findings.contains(where: { $0.item == .pin }) {
            await FavoritesService(of: store, log: log).scanOnce()
        }
        if findings.contains(where: { $0.item == .thumbnail }) {
            await ThumbnailService(
                thumbnails: Thumbnails(store: store), log: log, changes: ChangeBroadcaster()
            ).makeMissing()
        }
        let daysToVerify = verification.daysToDownload
        if !daysToVerify.isEmpty, !Task.isCancelled {
            try attempt { _ = try verification.verify(daysToVerify) }
        }
        let damage = try verification.damage
        if let firstError {
            guard !damage.isEmpty else { throw firstError }
            log.error("apod-mirror: \(firstError.advice)")
        }
        return damage
    }
}
