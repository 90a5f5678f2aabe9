internal import CLinux
internal import Glibc

/// A timer of the wall clock that also ends when somebody sets the clock; see timerfd_create(2).
///
/// If its time comes while the machine is suspended, it ends when the machine is back.
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
        /// The clock was set before the time was reached.
        case clockSet
    }

    /// How the timer has ended; `nil` while it runs.
    package var ending: Ending? {
        var count: UInt64 = 0
        if unsafe read(descriptor, &count, 8) >= 0 { return .timeReached }
        return errno == ECANCELED ? .clockSet : nil
    }
}
