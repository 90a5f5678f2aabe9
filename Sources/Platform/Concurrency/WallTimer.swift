internal import CLinux
internal import Glibc

/// A timer of the wall clock, which runs even across suspension and detects that the clock was set.
///
/// See timerfd_create(2): a suspended machine wakes up the reader as soon as it is back.
package struct WallTimer: ~Copyable {
    private let timer: FileDescriptor

    /// Starts a timer that ends at `time`, in seconds since 1970.
    package init(at time: Double) throws(SystemError) {
        let timer = FileDescriptor(
            owning: try retryingInterrupts("timerfd_create", path: "the clock") {
                clinux_timer(CLOCK_REALTIME)
            })
        try retryingInterrupts("timerfd_settime", path: "the clock") {
            clinux_wall_timer_set(timer.rawValue, Int64(max(time, 1)))
        }
        self.timer = timer
    }

    /// Can be read once the timer has ended.
    package var descriptor: CInt { timer.rawValue }

    package enum Ending: Hashable, Sendable {
        case timeReached
        /// The timer ends early, as its time may be another one by the new clock.
        case clockSet
    }

    /// How the timer has ended; `nil` while it runs.
    package var ending: Ending? {
        var count: UInt64 = 0
        if unsafe read(descriptor, &count, 8) >= 0 { return .timeReached }
        return errno == ECANCELED ? .clockSet : nil
    }
}
