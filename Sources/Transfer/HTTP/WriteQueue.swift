internal import Platform

/// Runs the disk work of all downloads of a client on one thread, in the order of its submission.
///
/// The thread of the transfers neither hashes nor waits for the disk, unless the disk is slower than the
/// network. The thread of the queue starts with the first job and ends when idle.
final class WriteQueue: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var hasThread = false
    }

    /// The number of jobs that may wait: the bytes that they write are in memory.
    private static let depth = 4
    private static let idleTimeout = Duration.seconds(1)

    private let state = Monitor(State())

    /// Runs `job` after those that were submitted before; blocks this thread while too many wait.
    func submit(_ job: @escaping @Sendable () -> Void) {
        let needsThread = state.wait { state -> Bool? in
            guard state.jobs.count < Self.depth else { return nil }
            state.jobs.append(job)
            defer { state.hasThread = true }
            return !state.hasThread
        }
        state.broadcast()
        guard needsThread else { return }
        startThread("disk") { [state] in
            while let job = Self.next(state) {
                state.broadcast()
                job()
            }
        }
    }

    /// The next job; `nil` if the thread must end.
    private static func next(_ state: Monitor<State>) -> (@Sendable () -> Void)? {
        let job = state.wait(atMost: idleTimeout) { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
        return job
            ?? state.withLock { state in
                // A job that arrived since then relies on this thread.
                if !state.jobs.isEmpty { return state.jobs.removeFirst() }
                state.hasThread = false
                return nil
            }
    }
}
