internal import Glibc
internal import Platform

/// Ends a call into libcurl in which a server keeps this side busy.
///
/// libcurl reads a connection as long as there is data: endless frames of HTTP/2 that carry nothing would keep it
/// in one call, and all transfers and their cancellation with it. Another thread then shuts the sockets down.
final class CallWatch: Sendable {
    private struct State {
        /// The processor time of the thread at the start of the call; `nil` between calls.
        var start: Duration?
        var isOver = false
    }

    private let state = Monitor(State())
    private let clock: clockid_t

    /// Watches the calls of this thread; each may take `limit` of processor time, whatever the disk, the
    /// machine or other processes take meanwhile.
    init(_ sockets: OpenSockets, limit: Duration) {
        var found = clockid_t()
        unsafe pthread_getcpuclockid(pthread_self(), &found)
        let clock = found
        self.clock = clock
        startThread("transfer-watch") { [state] in
            while state.wait(atMost: limit / 2, { $0.isOver ? true : nil }) == nil {
                state.withLock { state in
                    guard !state.isOver, let start = state.start else { return }
                    // mutant: endless-call
                    if Self.time(of: clock) - start > limit { sockets.shutDown() }
                }
            }
        }
    }

    /// Ends the watch; the thread may end afterwards.
    func end() {
        state.withLock { $0.isOver = true }
        state.signal()
    }

    /// Runs `body`, which calls libcurl.
    func watch<Result>(_ body: () -> Result) -> Result {
        let start = Self.time(of: clock)
        state.withLock { $0.start = start }
        defer { state.withLock { $0.start = nil } }
        return body()
    }

    private static func time(of clock: clockid_t) -> Duration {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
