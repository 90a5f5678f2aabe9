/// The threads that the tasks of this process run on.
///
/// Swift's own pool wakes an idle process once a second for ever; these threads sleep until there is
/// work. They may block in system calls, so there are more of them than processors; they start as
/// they are needed, and end when they were not for a moment. The last one stays, gives back the memory
/// that a sleeping process does not need, and sleeps. A task runs here when it, or the one it is a
/// child of, was started with `Task(executorPreference:)`.
package final class ThreadPoolExecutor: TaskExecutor {
    package static let shared = ThreadPoolExecutor(width: 16)

    /// How long a thread that has nothing to do stays.
    package static let patience = Duration.seconds(1)

    private struct State {
        var jobs: [UnownedJob] = []
        var next = 0
        var idle = 0
        var threads = 0
        /// How many of the idle ones have given back memory and sleep until there is work.
        var asleep = 0

        /// The next job; whoever takes one is idle no longer, in the same moment: else a job that comes
        /// now would wait for a thread that is busy.
        mutating func take() -> UnownedJob? {
            guard next < jobs.count else { return nil }
            let job = jobs[next]
            next += 1
            idle -= 1
            if next == jobs.count {
                // Not for ever as much as there was once.
                jobs.removeAll(keepingCapacity: jobs.count <= 64)
                next = 0
            }
            return job
        }
    }

    /// What a thread does next.
    private enum Turn {
        case run(UnownedJob)
        case end
        /// Nobody else works: give back memory, and sleep until there is work.
        case rest
        /// The same where another one sleeps already.
        case restAndEnd
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
        var hasRested = false
        while true {
            switch turn(hasRested) {
            case .run(let job):
                hasRested = false
                unsafe job.runSynchronously(on: asUnownedTaskExecutor())
            case .end: return
            case .restAndEnd: return returnFreeMemory()
            case .rest:
                returnFreeMemory()
                hasRested = true
            }
        }
    }

    private func turn(_ hasRested: Bool) -> Turn {
        state.withLock { state in
            state.idle += 1
            if hasRested { state.asleep += 1 }
        }
        let job = state.wait(atMost: hasRested ? nil : Self.patience) { $0.take() }
        return state.withLock { state in
            if hasRested { state.asleep -= 1 }
            // Who came since then counts on this thread.
            if let job = job ?? state.take() { return .run(job) }
            state.idle -= 1
            let isLastAwake = state.threads - state.asleep == 1
            if isLastAwake, state.asleep == 0 { return .rest }
            state.threads -= 1
            return isLastAwake ? .restAndEnd : .end
        }
    }
}
