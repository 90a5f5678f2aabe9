internal import Platform

/// The threads that wait for the network, so that no task has to.
///
/// They start as they are needed, sleep while there is nothing to do, and end with the pool.
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
        var isClosed = false

        mutating func next() -> Job?? {
            if !waiting.isEmpty { return waiting.removeFirst() }
            return isClosed ? .some(nil) : nil
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
            state.waiting.append(job)
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
                state.withLock { $0.idle -= 1 }
                let deliver = job.run(courier)
                // Idle first: who is told may come back at once, and needs no further thread.
                state.withLock { $0.idle += 1 }
                deliver()
            }
        }
    }
}
