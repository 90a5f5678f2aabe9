internal import CLinux
internal import Glibc

/// Waits for a time of the wall clock, even across suspension, and detects that the clock was set.
package enum WallTimer {
    /// Sleeps until `time`, in seconds since 1970.
    ///
    /// See timerfd_create(2): a suspended machine wakes the sleeper as soon as it is back.
    ///
    /// - Returns: Whether the clock was set: compute the time again.
    /// - Throws: `CancellationError`, or ``SystemError`` if no timer can be created.
    package static func sleep(until time: Double) async throws -> Bool {
        let timer = FileDescriptor(
            owning: try retryingInterrupts("timerfd_create", path: "the clock") {
                clinux_wall_timer()
            })
        let seconds = Int64(max(time, 1))
        try retryingInterrupts("timerfd_settime", path: "the clock") {
            clinux_wall_timer_set(timer.rawValue, seconds)
        }
        try await EventLoop.shared.wait(toRead: timer.rawValue)
        var count: UInt64 = 0
        return unsafe read(timer.rawValue, &count, 8) == -1 && errno == ECANCELED
    }
}
