internal import Platform

/// Blocks requests, each on its own thread, until they are released.
final class HeldRequests: Sendable {
    /// The number of calls of ``release()``, and whether ``stop()`` was called.
    private let state = Monitor((releases: 0, isStopped: false))

    /// Blocks until ``release()`` or ``stop()``.
    ///
    /// - Returns: `false` after ``stop()``, when the request must not be answered.
    func hold() -> Bool {
        let releases = state.withLock(\.releases)
        return state.wait { state in
            state.isStopped ? false : state.releases > releases ? true : nil
        }
    }

    /// Blocks for `duration`; returns `false` if stopped meanwhile.
    func pause(_ duration: Duration) -> Bool {
        state.wait(atMost: duration) { $0.isStopped ? true : nil } == nil
    }

    func release() {
        state.withLock { $0.releases += 1 }
        state.broadcast()
    }

    /// Releases all requests, now and in future.
    func stop() {
        state.withLock { $0.isStopped = true }
        state.broadcast()
    }
}
