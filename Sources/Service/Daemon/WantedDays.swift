package import APOD
internal import Platform

/// Favorite days that are not downloaded yet; set by ``FavoritesService``, read by the synchronizer.
package final class WantedDays: Sendable {
    private let state = Monitor<Set<Day>>([])

    package init() {}

    package var days: Set<Day> { state.withLock { $0 } }

    /// - Returns: Whether `days` contains days that were not wanted before.
    func replace(with days: Set<Day>) -> Bool {
        state.withLock { known in
            defer { known = days }
            return !days.isSubset(of: known)
        }
    }
}
