/// The threads that the tasks of this process run on.
///
/// Swift's own pool wakes an idle process once a second for ever; these threads sleep until there is
/// work. They may block in system calls, so there are more of them than processors; they start as
/// they are needed. A task runs here when it, or the one it is a child of, was started with
/// `Task(executorPreference:)`.
package final class Workers: TaskExecutor {
    package static let shared = Workers(width: 16)

    private struct State {
        var jobs: [UnownedJob] = []
        var next = 0
        var idle = 0
        var threads = 0

        /// The next job; whoever takes one is idle no longer, in the same moment: else a job that comes
        /// now would wait for a thread that is busy.
        mutating func take() -> UnownedJob? {
            guard next < jobs.count else { return nil }
            let job = jobs[next]
            next += 1
            idle -= 1
            if next == jobs.count {
                jobs.removeAll(keepingCapacity: true)
                next = 0
            }
            return job
        }
    }

    private let state = Monitor(State())
    private let width: Int

    package init(width: Int) {
        self.width = width
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let needsThread = state.withLock { state in
            state.jobs.append(job)
            guard state.idle < state.jobs.count - state.next, state.threads < width else {
                return false
            }
            state.threads += 1
            return true
        }
        state.signal()
        if needsThread { startThread("worker") { self.work() } }
    }

    private func work() {
        while true {
            state.withLock { $0.idle += 1 }
            let job = state.wait { $0.take() }
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
