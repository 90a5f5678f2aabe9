internal import Platform

/// Handles reload requests: starts a sync and a scan of the favorites, and reports when the scan has
/// finished.
///
/// It does not wait for the sync, which may take hours.
package struct Reloader: DaemonService {
    /// Requests that arrive during a reload are one.
    private let requests = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let wakeReasons: CoalescingSignal<WakeReason>
    let favorites: FavoritesService
    let manager: ServiceManager

    package func reload() { requests.continuation.yield() }

    package func run() async throws {
        for await _ in requests.stream {
            manager.notify(.reloading)
            wakeReasons.send(.sync)
            try await favorites.scanNow()
            manager.notify(.ready)
        }
    }
}
