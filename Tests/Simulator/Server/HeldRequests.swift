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

    /// The number of calls of ``release()`` so far.
    var releases: Int { state.withLock(\.releases) }

    /// Blocks for `duration`, unless ``release()`` was called after the first `releases` times; returns `false` if stopped.
    func pause(_ duration: Duration, since releases: Int) -> Bool {
        state.wait(atMost: duration) { state in
            state.isStopped ? false : state.releases > releases ? true : nil
        } ?? true
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
