/// The thread pool that runs the tasks of this process.
///
/// Swift's own pool wakes up an idle process every second; these threads sleep until there is a job. Jobs
/// may block in system calls, so the pool may have more threads than processors. Threads start on demand
/// and end when idle. The last one returns free memory to the system and sleeps. A task runs here if it or
/// its parent was started with `Task(executorPreference:)`.
package final class ThreadPoolExecutor: TaskExecutor {
    package static let shared = ThreadPoolExecutor(width: 16)

    /// The time after which an idle thread ends.
    package static let idleTimeout = Duration.seconds(1)

    private struct PoolState {
        var jobs: [UnownedJob] = []
        var next = 0
        var idle = 0
        var threads = 0
        /// The number of idle threads that have returned free memory and sleep until there is a job.
        var asleep = 0

        /// Removes the next job and counts its thread as busy, so that no new job relies on that thread.
        mutating func popJob() -> UnownedJob? {
            guard next < jobs.count else { return nil }
            let job = jobs[next]
            next += 1
            idle -= 1
            if next == jobs.count {
                // Free the memory of a burst.
                jobs.removeAll(keepingCapacity: jobs.count <= 64)
                next = 0
            }
            return job
        }
    }

    /// The next step of a thread.
    private enum Step {
        case run(UnownedJob)
        case end
        /// No other thread works: return free memory, then sleep until there is a job.
        case trimAndSleep
        /// No other thread works and one sleeps: return free memory, then end.
        case trimAndEnd
    }

    private let state = Monitor(PoolState())
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
        var hasTrimmed = false
        while true {
            switch nextStep(hasTrimmed) {
            case .run(let job):
                hasTrimmed = false
                unsafe job.runSynchronously(on: asUnownedTaskExecutor())
            case .end: return
            case .trimAndEnd: return returnFreeMemory()
            case .trimAndSleep:
                returnFreeMemory()
                hasTrimmed = true
            }
        }
    }

    private func nextStep(_ hasTrimmed: Bool) -> Step {
        state.withLock { state in
            state.idle += 1
            if hasTrimmed { state.asleep += 1 }
        }
        let job = state.wait(atMost: hasTrimmed ? nil : Self.idleTimeout) { $0.popJob() }
        return state.withLock { state in
            if hasTrimmed { state.asleep -= 1 }
            // A job that arrived since then relies on this thread.
            if let job = job ?? state.popJob() { return .run(job) }
            state.idle -= 1
            let isLastAwake = state.threads - state.asleep == 1
            if isLastAwake, state.asleep == 0 { return .trimAndSleep }
            state.threads -= 1
            return isLastAwake ? .trimAndEnd : .end
        }
    }
}
