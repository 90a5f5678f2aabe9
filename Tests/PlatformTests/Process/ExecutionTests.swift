import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite(.timeLimit(.minutes(10))) struct ExecutionTests {
    /// A thread that has just received a job still appears idle.
    @Test func noJobWaitsForABusyThread() async {
        let workers = ThreadPoolExecutor(maximumThreads: 4)
        for round in 0..<3000 {
            let isDone = Monitor(false)
            let first = Task(executorPreference: workers) { isDone.wait { $0 ? true : nil } }
            for _ in 0..<round % 100 { sched_yield() }
            let second = Task(executorPreference: workers) {
                isDone.withLock { $0 = true }
                isDone.signal()
            }
            await second.value
            #expect(await first.value)
        }
    }

    @Test func aProcessThatCannotStartThreadsSaysSo() async {
        let result = await #expect(
            processExitsWith: .exitCode(1), observing: [\.standardErrorContent]
        ) {
            // The limit does not apply to root.
            if getuid() == 0, setuid(65_534) != 0 { exit(2) }
            // RLIMIT_NPROC.
            var limit = rlimit(rlim_cur: 0, rlim_max: 0)
            guard unsafe setrlimit(__rlimit_resource_t(6), &limit) == 0 else { exit(3) }
            startThread("test") {}
            exit(4)
        }
        let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)

        #expect(errors.contains(": cannot start a thread: "), "\(errors)")
        #expect(errors.contains("; raise the limit of tasks (ulimit -u, TasksMax=)\n"))
    }

    @Test func jobsWaitForTheOtherThreadsWhereNoneCanBeStarted() async {
        await #expect(processExitsWith: .success) {
            // The limit does not apply to root.
            if getuid() == 0, setuid(65_534) != 0 { exit(2) }
            let task = Task(executorPreference: ThreadPoolExecutor.shared) {
                // RLIMIT_NPROC.
                var limit = rlimit(rlim_cur: 0, rlim_max: 0)
                guard unsafe setrlimit(__rlimit_resource_t(6), &limit) == 0 else { exit(3) }
                let jobs = (0..<3).map { number in
                    Task(executorPreference: ThreadPoolExecutor.shared) { number }
                }
                var sum = 0
                for job in jobs { sum += await job.value }
                return sum
            }
            #expect(await task.value == 3)
        }
    }

    @Test func aLastingErrorOfPollEndsTheProcess() async {
        let result = await #expect(
            processExitsWith: .exitCode(1), observing: [\.standardErrorContent]
        ) {
            // The event loop has its thread and its descriptors before the limit is set.
            await EventLoop.shared.run {}
            // RLIMIT_NOFILE: poll(2) fails with EINVAL above it.
            var limit = rlimit(rlim_cur: 0, rlim_max: 0)
            guard unsafe setrlimit(__rlimit_resource_t(7), &limit) == 0 else { exit(3) }
            // The error ends the process before.
            try await LoopClock().sleep(for: .hang)
        }
        let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)

        #expect(errors.contains(": cannot wait for events: "), "\(errors)")
    }

    @Test func theWallTimerFiresAtOnceForAPastTime() async throws {
        let timer = try WallTimer(at: 1)
        let received = try await CoalescingSignal<RescanReason>().next(
            onReadable: timer.descriptor)

        #expect(received.isEmpty)
        #expect(timer.takeEnding() == .timeReached)
    }

    @Test func theWallTimerNeverFiresBeforeItsTime() async throws {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        // The fraction of a second would be lost if the time was rounded down.
        let time = Double(now.tv_sec) + 0.999
        let timer = try WallTimer(at: time)
        _ = try await CoalescingSignal<RescanReason>().next(onReadable: timer.descriptor)
        unsafe clock_gettime(CLOCK_REALTIME, &now)

        #expect(Double(now.tv_sec) + Double(now.tv_nsec) / 1e9 >= time)
    }
}
