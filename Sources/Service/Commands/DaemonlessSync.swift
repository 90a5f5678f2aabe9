internal import APOD
package import Maintenance
package import Mirror
package import Platform
internal import Thumbnails

/// Syncs and repairs single days for the commands `adopt` and `verify --repair`, while no daemon runs that would do it.
///
/// A sync is one round of requests to NASA. Here, it covers only the days of adopted pictures, and days with damaged files.
package struct DaemonlessSync: Sendable {
    package let store: Store
    private let verification: Verification
    private let settings: Settings

    /// `tree` must be open for writing, which also means that no daemon writes to it.
    package init(_ tree: Tree, _ settings: Settings) throws {
        store = try Store(tree: tree, minimumFree: settings.minimumFree)
        verification = Verification(store)
        self.settings = settings
    }

    /// Publishes the days of adopted pictures, with NASA's entries; returns `nil` if no picture waits for an entry.
    package func publishAdoptedDays() async throws -> SyncSummary? {
        guard try !store.adoptedDays().isEmpty else { return nil }
        return try await sync([], downloadsVideos: store.state().downloadsVideos)
    }

    /// Publishes adopted pictures, and downloads damaged and missing files of `damagedDays`.
    ///
    /// The videos of `damagedDays` are always downloaded. `downloadsVideos` is about all other videos.
    private func sync(_ damagedDays: Set<Day>, downloadsVideos: Bool) async throws -> SyncSummary {
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

    // MARK: Repair

    /// Repairs `findings`, which are all that a verification of the days of `scope` has found.
    ///
    /// 1. Repairs from the mirror itself what it can, and records the other damage.
    /// 2. Downloads the days with recorded damage, if there are any; `didSync` receives the result.
    /// 3. Restores lost pins, the hard links that keep the pictures of favorites, and makes lost thumbnails.
    /// 4. Verifies the days that still have recorded damage, because the download may have repaired them.
    ///
    /// If the record of damage cannot be saved, as on a full disk, the other steps follow. In the end, the first such error is
    /// logged if damage is left, or else thrown. `isWhole` says that the verification read all files of all days.
    ///
    /// - Returns: The damage that is left, found now or by an earlier verification.
    /// - Throws: The first error of saving, if no damage is left; or an error of the sync or of reading the record.
    package func repair(
        _ findings: [VerifyFinding], of scope: VerifyScope, isWhole: Bool, log: Log,
        didSync: (SyncSummary) -> Void
    ) async throws -> [VerifyState.Damage] {
        var saving = SavingSteps()
        try saving.perform { _ = try verification.repair(findings, in: scope) }
        if isWhole { try saving.perform { try verification.recordVerificationOfAllDays() } }

        let damagedDays = verification.daysToDownload
        if !damagedDays.isEmpty { didSync(try await sync(damagedDays, downloadsVideos: false)) }

        if findings.contains(where: { $0.item == .pin }) {
            await FavoritesService(of: store, log: log).scanOnce()
        }
        if findings.contains(where: { $0.item == .thumbnail }) { await makeThumbnails(log) }

        let daysToVerify = verification.daysToDownload
        if !daysToVerify.isEmpty, !Task.isCancelled {
            try saving.perform { _ = try verification.verify(daysToVerify) }
        }

        let remainingDamage = try verification.damage
        if let error = saving.firstError {
            guard !remainingDamage.isEmpty else { throw error }
            log.error("apod-mirror: \(error.advice)")
        }
        return remainingDamage
    }

    private func makeThumbnails(_ log: Log) async {
        await ThumbnailService(
            thumbnails: Thumbnails(store: store), log: log, changes: ChangeBroadcaster()
        ).makeMissing()
    }
}

/// Performs steps that save what they did; if one of them cannot save it, the next ones are performed all the same.
private struct SavingSteps {
    private(set) var firstError: SystemError?

    /// Performs `step`, and keeps the first failed system call, and drops later ones; throws any other error.
    mutating func perform(_ step: () throws -> Void) throws {
        do {
            try step()
        } catch let error as SystemError where !error.isCancelled {
            firstError = firstError ?? error
        }
    }
}
