internal import CLinux
internal import Glibc

/// A timer that ends at a date, or as soon as somebody sets the clock; see timerfd_create(2).
///
/// If the date comes while the machine is suspended, the timer ends when the machine is back.
package struct WallTimer: ~Copyable {
    private let timer: FileDescriptor

    /// Starts a timer that ends at `time`, in seconds since 1970.
    package init(at time: Double) throws(SystemError) {
        let timer = FileDescriptor(
            owning: try retryingInterrupts("timerfd_create", path: "the clock") {
                clinux_timer(CLOCK_REALTIME)
            })
        // The kernel takes 0 for “no timer”, and refuses negative times. The second 1 of 1970 has passed, too.
        let seconds = Int64(max(time, 1))
        try retryingInterrupts("timerfd_settime", path: "the clock") {
            clinux_wall_timer_set(timer.rawValue, seconds)
        }
        self.timer = timer
    }

    /// Can be read once the timer has ended.
    package var descriptor: CInt { timer.rawValue }

    package enum Ending: Hashable, Sendable {
        case timeReached
        /// The clock was set before the time was reached.
        case clockSet
    }

    /// Returns how the timer has ended, and forgets it: the next call returns `nil`, as while the timer runs.
    package func takeEnding() -> Ending? {
        // A read returns how often the time was reached, as a number of 64 bits, or fails because the clock was set.
        var count: UInt64 = 0
        if unsafe read(descriptor, &count, MemoryLayout.size(ofValue: count)) >= 0 {
            return .timeReached
        }
        return errno == ECANCELED ? .clockSet : nil
    }
}
