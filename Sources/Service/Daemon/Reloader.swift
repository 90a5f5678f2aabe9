internal import Platform

/// Handles reload requests: starts a sync and a scan of the favorites, and reports when the scan has
/// finished.
///
/// It does not wait for the sync, which may take hours.
package struct Reloader: DaemonService {
    private let requests = CoalescingSignal<WakeReason>()
    let wakeReasons: CoalescingSignal<WakeReason>
    let favorites: FavoritesService
    let manager: ServiceManager

    /// Requests a reload.
    package func reload() { requests.send(.sync) }

    package func run() async throws {
        while true {
            _ = try await requests.next()
            manager.notify(.reloading)
            wakeReasons.send(.sync)
            try await favorites.scanNow()
            manager.notify(.ready)
        }
    }
}
