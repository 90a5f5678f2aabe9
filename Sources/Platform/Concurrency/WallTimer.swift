internal import CLinux
internal import Glibc

/// Waits for a moment by the wall clock, through suspension, and notices when that clock is set.
package enum WallTimer {
    /// Why a wait is over.
    package enum Wake: Hashable, Sendable {
        case onTime
        /// Somebody set the clock: what was planned by it must be planned again.
        case clockChanged
    }

    /// Sleeps until `time`, in seconds since 1970.
    ///
    /// See timerfd_create(2): a suspended machine wakes the sleeper as soon as it is back.
    ///
    /// - Returns: Why it is over.
    /// - Throws: `CancellationError`, or ``SystemError`` where there is no timer to be had.
    package static func sleep(until time: Double) async throws -> Wake {
        let timer = FileDescriptor(
            owning: try retryingInterrupts("timerfd_create", path: "the clock") {
                clinux_wall_timer()
            })
        let seconds = Int64(max(time, 1))
        try retryingInterrupts("timerfd_settime", path: "the clock") {
            clinux_wall_timer_set(timer.rawValue, seconds, 0)
        }
        let descriptor = timer.rawValue
        try await CancellableContinuation().wait { waiter in
            EventLoop.shared.onReadable(descriptor) { waiter.finish(.success(())) }
        }
        var count: UInt64 = 0
        let wasSet = unsafe read(descriptor, &count, 8) == -1 && errno == ECANCELED
        return wasSet ? .clockChanged : .onTime
    }
}
