package import APOD
internal import Platform

/// The favorites that the mirror does not have: told by those who watch, asked for by those who fetch.
package final class WantedDays: Sendable {
    private let state = Monitor<Set<Day>>([])

    package init() {}

    package var days: Set<Day> { state.withLock { $0 } }

    /// - Returns: Whether there are days among `days` that were not wanted before.
    func replace(with days: Set<Day>) -> Bool {
        state.withLock { known in
            defer { known = days }
            return !days.isSubset(of: known)
        }
    }
}
