internal import APOD
internal import Maintenance
package import Mirror

/// Syncs single days for the commands `adopt` and `verify --repair`, while no daemon runs that would do it.
///
/// A sync is one round of requests to NASA. Here, it covers only the days of adopted pictures, and days with damaged files:
/// it requests no new days.
package struct DaemonlessSync: Sendable {
    package let store: Store
    let verification: Verification
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
        return try await sync(
            downloading: [], downloadsVideos: store.knownState().downloadsVideos)
    }

    /// Forgets the damage that an adopted picture has repaired, for which `status` would otherwise wait for a sync.
    ///
    /// - Returns: What could not be read, and other damage that could not be repaired.
    package func forgetRepairedDamage() -> [WriteFailure] {
        verification.verifyAgain(verification.daysOfFilesThatAreBack)
    }

    /// Publishes all adopted pictures, and downloads the damaged and missing files of `damagedDays`.
    ///
    /// The videos of `damagedDays` are always downloaded; `downloadsVideos` is about those of the adopted days.
    func sync(
        downloading damagedDays: Set<Day>, downloadsVideos: Bool
    ) async throws -> SyncSummary {
        let client = settings.client()
        let synchronizer = Synchronizer(
            routes: settings.routes(through: client), client: client, store: store,
            options: .init(
                since: nil, jobs: settings.jobs, downloadsVideos: downloadsVideos, rechecks: false,
                mirrors: settings.mirrors),
            damagedDays: { damagedDays })
        let summary = await synchronizer.sync(retry: .transient).summary()
        // The command of --on-new must not run for a new day that the person who runs this command sees. An error is ignored:
        // then it does run.
        if let newest = summary.newestWithFiles { try? NewDayState.skip(newest, in: store) }
        return summary
    }
}
