internal import Platform

/// The threads that wait for the network, so that no task has to.
///
/// They start as they are needed and sleep while there is nothing to do. After a quiet while they
/// end, and their connections with them; at the latest they end with the pool.
final class TransferPool: Sendable {
    typealias Work<Value> = @Sendable (Courier, Ticket) throws(Setback) -> Value

    private struct Job {
        let ticket: Ticket
        /// Does the work, and answers how to tell who waits for it.
        ///
        /// Given nobody to carry it, the job ends as cancelled.
        let run: @Sendable (Courier?) -> @Sendable () -> Void
    }

    private struct State {
        var waiting: [Job] = []
        var idle = 0
        var threads = 0
        /// How many idle threads are to end.
        var leaving = 0
        /// How many jobs there were.
        var jobs = 0
        var isLingering = false
        var isClosed = false

        var isQuiet: Bool { idle == threads && waiting.isEmpty }

        mutating func add(_ job: Job) {
            waiting.append(job)
            jobs += 1
            leaving = 0
        }

        /// The next job, none where the thread is to end, and `nil` where it is to wait.
        mutating func next() -> Job?? {
            if !waiting.isEmpty {
                idle -= 1
                return waiting.removeFirst()
            }
            guard isClosed || leaving > 0 else { return nil }
            leaving -= 1
            idle -= 1
            threads -= 1
            return .some(nil)
        }
    }

    private let state = Monitor(State())
    private let width: Int
    private let profile: Profile

    init(width: Int, profile: Profile) {
        self.width = width
        self.profile = profile
    }

    deinit {
        let threads = state.withLock { state in
            state.isClosed = true
            return state.threads
        }
        for _ in 0..<threads { state.signal() }
    }

    /// Runs `work` on a thread of the pool, in the order of asking.
    ///
    /// Cancellation ends the wait for a thread, and wakes the thread that is at work; this returns
    /// only once nobody works on it any more.
    func run<Value: Sendable>(_ work: @escaping Work<Value>) async -> Result<Value, Setback> {
        let ticket = Ticket()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                submit(
                    Job(ticket: ticket) { courier in
                        let result = Result { () throws(Setback) in
                            guard let courier, !ticket.isCancelled else {
                                throw Setback(.cancelled)
                            }
                            return try work(courier, ticket)
                        }
                        return { continuation.resume(returning: result) }
                    })
            }
        } onCancel: {
            cancel(ticket)
        }
    }

    private func submit(_ job: Job) {
        let needsThread = state.withLock { state in
            state.add(job)
            guard state.idle < state.waiting.count, state.threads < width else { return false }
            state.threads += 1
            state.idle += 1
            return true
        }
        state.signal()
        if needsThread { start() }
        // Cancelled before it was in line: nobody else will take it out.
        if job.ticket.isCancelled { cancel(job.ticket) }
    }

    private func cancel(_ ticket: Ticket) {
        ticket.cancel()
        let job = state.withLock { state -> Job? in
            let index = state.waiting.firstIndex { $0.ticket === ticket }
            return index.map { state.waiting.remove(at: $0) }
        }
        job?.run(nil)()
    }

    private func start() {
        // The thread must not keep the pool, whose end is its own.
        startThread("transfer") { [state, profile] in
            let courier = Courier(profile)
            while let job = state.wait({ $0.next() }) {
                let deliver = job.run(courier)
                // Idle first: who is told may come back at once, and needs no further thread.
                let isQuiet = state.withLock { state in
                    state.idle += 1
                    defer { if state.isQuiet { state.isLingering = true } }
                    return state.isQuiet && !state.isLingering
                }
                if isQuiet { Self.linger(state, for: profile.limits.linger) }
                deliver()
            }
        }
    }

    /// Ends the threads once they had nothing to do for so long.
    private static func linger(_ state: Monitor<State>, for pause: Duration) {
        Task(executorPreference: ThreadPoolExecutor.shared) {
            while true {
                let jobs = state.withLock(\.jobs)
                try? await LoopClock().sleep(for: pause)
                let leaving = state.withLock { state -> Int? in
                    guard state.isQuiet, state.jobs == jobs else { return nil }
                    state.isLingering = false
                    state.leaving = state.idle
                    return state.idle
                }
                guard let leaving else { continue }
                for _ in 0..<leaving { state.signal() }
                return
            }
        }
    }
}
