package import APOD
internal import Synchronization

/// The days whose files a task of this process changes or verifies: no other task touches them meanwhile.
///
/// A sync claims the days that it downloads or removes, a verification the one that it reads and repairs. Who does not get a
/// day leaves it to its next turn, so that nobody waits.
package final class DayClaims: Sendable {
    private let claimed = Mutex<Set<Day>>([])

    /// Claims `day`; returns `false` if another task has it.
    package func claim(_ day: Day) -> Bool { claimed.withLock { $0.insert(day).inserted } }

    package func release(_ day: Day) { claimed.withLock { _ = $0.remove(day) } }
}
