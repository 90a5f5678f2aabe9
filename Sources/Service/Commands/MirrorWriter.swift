internal import APOD
package import Maintenance
package import Mirror
package import Platform
internal import Thumbnails

/// A mirror that `adopt` or `verify --repair` writes while no daemon does.
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

    /// Requests NASA's entries of the days with an adopted picture, and publishes these days; `nil` if there are none.
    package func publishAdoptedDays() async throws -> SyncSummary? {
        guard try !store.adoptedDays().isEmpty else { return nil }
        return try await sync(downloadsVideos: store.state().downloadsVideos)
    }

    /// Downloads `suspects`, and publishes adopted pictures.
    private func sync(
        downloadsVideos: Bool = false,
        suspects: @escaping @Sendable () -> Set<Day> = { [] }
    ) async throws -> SyncSummary {
        let client = settings.client()
        let synchronizer = Synchronizer(
            routes: settings.routes(through: client), client: client, store: store,
            options: .init(
                since: nil, jobs: settings.jobs, downloadsVideos: downloadsVideos, rechecks: false,
                mirrors: settings.mirrors),
            suspects: suspects)
        let summary = await synchronizer.sync(retry: .transient).summary()
        if let newest = summary.newestWithFiles { try? NewDayState.skip(newest, in: store) }
        return summary
    }

    // MARK: Repair

    /// Repairs `findings`, which are all of `scope`, then syncs, scans favorites and makes thumbnails if that repairs more.
    ///
    /// `isWhole` says that all bytes of all days were verified. `didSync` receives the result of the sync.
    ///
    /// - Returns: The damage that is left, found now or by an earlier verification.
    package func repair(
        _ findings: [VerifyFinding], of scope: VerifyScope, isWhole: Bool, log: Log,
        didSync: (SyncSummary) -> Void
    ) async throws -> [VerifyState.Damage] {
        let repairs = try verification.repair(findings, in: scope).repairs
        if isWhole { try verification.recordVerificationOfAllDays() }
        if !verification.suspects.isEmpty {
            didSync(try await sync { verification.suspects })
        }
        if repairs.contains(where: { $0.action == .leftToScan }) {
            await FavoritesService(of: store, log: log).scanOnce()
        }
        if repairs.contains(where: { $0.finding.item == .thumbnail }) {
            await ThumbnailService(
                thumbnails: Thumbnails(store: store), log: log, changes: ChangeBroadcaster()
            ).makeMissing()
        }
        let suspects = verification.suspects
        if !suspects.isEmpty, !Task.isCancelled { _ = try verification.verify(suspects) }
        return try verification.damage
    }
}
