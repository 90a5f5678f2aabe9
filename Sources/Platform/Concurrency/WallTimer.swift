internal import CLinux
internal import Glibc

/// A timer that ends at a date, or as soon as somebody sets the clock; see timerfd_create(2).
///
/// If the date comes while the machine is suspended, the timer ends when the machine is back.
package struct WallTimer: ~Copyable {
    private let timer: FileDescriptor

    /// Starts a timer that ends at `time`, in seconds since 1970, or less than a second later.
    package init(at time: Double) throws(SystemError) {
        let timer = FileDescriptor(
            owning: try retryingInterrupts("timerfd_create", path: "the clock") {
                clinux_timer(CLOCK_REALTIME)
            })
        // Rounded down, the timer would end before its time. The kernel takes 0 for “no timer”, and refuses negative times,
        // which have passed, as the second 1 of 1970 has.
        let seconds = Int64(max(time.rounded(.up), 1))
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

    /// Returns how the timer has ended; `nil` while it runs, and in a second call after its end.
    package func takeEnding() -> Ending? {
        // A read returns how often the time was reached, as a number of 64 bits. If the clock was set, it fails.
        var count: UInt64 = 0
        if unsafe read(descriptor, &count, MemoryLayout.size(ofValue: count)) >= 0 {
            return .timeReached
        }
        return errno == ECANCELED ? .clockSet : nil
    }
}
