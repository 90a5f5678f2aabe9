/// The thread pool that runs the tasks of this process.
///
/// A task runs here if it or its parent was started with `Task(executorPreference:)`. Swift's own pool wakes up an idle process
/// every second; the threads of this one sleep until there is a job. Jobs may block in system calls, so that there may be more
/// threads than processors. Threads start on demand, and end when they are idle for ``idleTimeout``. The last one stays; it
/// returns free memory to the system, and sleeps.
package final class ThreadPoolExecutor: TaskExecutor {
    package static let shared = ThreadPoolExecutor(maximumThreads: 16)

    /// A thread that has had no job for this time ends, unless it is the last one.
    package static let idleTimeout = Duration.seconds(1)

    private struct PoolState {
        var waitingJobs: ArraySlice<UnownedJob> = []
        /// The number of all threads.
        var threads = 0
        /// The number of threads that wait for a job.
        var idleThreads = 0

        /// Removes the next job and counts its thread as busy, so that no new job relies on that thread.
        mutating func takeJob() -> UnownedJob? {
            guard let job = waitingJobs.popFirst() else { return nil }
            idleThreads -= 1
            return job
        }
    }

    private let state = Monitor(PoolState())
    private let maximumThreads: Int

    /// While jobs block all of the `maximumThreads`, other jobs wait.
    package init(maximumThreads: Int) {
        self.maximumThreads = maximumThreads
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let needsThread = state.withLock { state in
            state.waitingJobs.append(job)
            let isNeeded = state.idleThreads < state.waitingJobs.count
            guard isNeeded, state.threads < maximumThreads else { return false }
            state.threads += 1
            return true
        }
        state.signal()
        if needsThread { startWorker() }
    }

    /// Starts a thread; if the system allows no more, the jobs wait for the other threads.
    private func startWorker() {
        do {
            try startOptionalThread("worker") { self.work() }
        } catch {
            let others = state.withLock { state in
                state.threads -= 1
                return state.threads
            }
            if others == 0 { endProcess(error.reason) }
        }
    }

    private func work() {
        var timeout: Duration? = Self.idleTimeout
        while true {
            let (job, otherThreads) = nextJob(within: timeout)
            if let job {
                timeout = Self.idleTimeout
                unsafe job.runSynchronously(on: asUnownedTaskExecutor())
                continue
            }
            // The last two threads both do this, because this one may have freed memory after the other one did it.
            if otherThreads <= 1 { returnFreeMemory() }
            guard otherThreads == 0 else { return }
            timeout = nil
        }
    }

    /// Waits for a job, and returns it with the number of other threads.
    ///
    /// If there is none in time, this thread no longer counts, and the caller must end it, unless it is the last one.
    private func nextJob(within timeout: Duration?) -> (job: UnownedJob?, otherThreads: Int) {
        state.withLock { $0.idleThreads += 1 }
        let job = state.wait(atMost: timeout) { $0.takeJob() }
        return state.withLock { state in
            let others = state.threads - 1
            // A job may have arrived since the wait ended, and no thread was started for it, because this one counted as idle.
            if let job = job ?? state.takeJob() { return (job, others) }
            state.idleThreads -= 1
            state.threads = max(others, 1)
            return (nil, others)
        }
    }
}
