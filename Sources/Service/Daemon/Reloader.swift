package import Platform

/// Looks at NASA and at the favorites when somebody asks for it, and says when the favorites are done.
///
/// NASA may take hours, for which nobody waits.
package struct Reloader: DaemonService {
    private struct Request: OptionSet, Sendable {
        let rawValue: Int
        static let look = Request(rawValue: 1)
    }

    private let requests = CoalescingSignal<Request>()
    private let calls: CoalescingSignal<WakeReason>
    private let favorites: FavoritesService
    private let manager: ServiceManager

    package init(
        calls: CoalescingSignal<WakeReason>, favorites: FavoritesService,
        telling manager: ServiceManager
    ) {
        self.calls = calls
        self.favorites = favorites
        self.manager = manager
    }

    /// Asks for a look at all.
    package func look() { requests.put(.look) }

    package func run() async throws {
        while true {
            _ = try await requests.next()
            manager.tell(.reloading)
            calls.put(.look)
            try await favorites.lookNow()
            manager.tell(.ready)
        }
    }
}
