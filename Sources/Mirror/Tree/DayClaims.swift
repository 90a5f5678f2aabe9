package import APOD
internal import Synchronization

/// The days on which a task of this process works: no other task may change or verify their files at the same time.
///
/// A sync claims each day that it downloads or removes, and a verification claims each day that it reads and repairs. A task
/// that cannot claim a day skips it until its next turn, so that no task waits for another.
package final class DayClaims: Sendable {
    private let claimed = Mutex<Set<Day>>([])

    /// Claims `day`; returns `false` if another task has claimed it.
    package func claim(_ day: Day) -> Bool { claimed.withLock { $0.insert(day).inserted } }

    /// Ends the claim of `day`.
    package func release(_ day: Day) { claimed.withLock { _ = $0.remove(day) } }
}
