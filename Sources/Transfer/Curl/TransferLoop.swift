internal import CCurl
internal import Platform

/// Runs all transfers of a client on one thread, with one multi handle of libcurl.
///
/// The thread starts with the first request. It ends, and closes its connections, after
/// ``Limits/idleTimeout`` without a transfer, after a ``MultiError``, or with the loop.
final class TransferLoop: Sendable {
    /// A request whose caller waits for the response.
    private struct Job: Sendable {
        let request: Request
        /// Whether the caller was cancelled: its task sets this, and the thread of all transfers reads it.
        let cancellation: SharedValue<Bool>
        let continuation: CheckedContinuation<Result<Response, AttemptFailure>, Never>

        var isCancelled: Bool { cancellation.withLock(\.self) }

        /// Ends the request, which no thread received.
        func fail(_ reason: String) {
            let address = request.address.redacted
            let error: TransferError =
                isCancelled
                ? .cancelled : .unreachable(address: address, reason: reason)
            continuation.resume(returning: .failure(AttemptFailure(error)))
        }
    }

    private struct State {
        /// The jobs that the thread has not taken: at most one a task that waits for its response.
        var arrivals: [Job] = []
        /// Whether a cancelled job has not been ended yet.
        var hasCancellation = false
        /// The transfers of the thread; `nil` while there is no thread.
        var multi: MultiHandle?
        var isClosed = false

        /// Takes the jobs that no thread has received, as there is none any more: the next request starts one.
        mutating func takeArrivalsWithoutThread() -> [Job] {
            let jobs = arrivals
            arrivals = []
            hasCancellation = false
            multi = nil
            return jobs
        }
    }

    private let state = Monitor(State())
    private let configuration: ClientConfiguration

    init(_ configuration: ClientConfiguration) {
        self.configuration = configuration
    }

    deinit {
        state.withLock { $0.isClosed = true }
        Self.wake(state)
    }

    /// Sends `request` and receives the response.
    ///
    /// Cancellation ends the transfer. The sink of the request is not used after the return.
    func perform(_ request: Request) async throws(AttemptFailure) -> Response {
        let cancellation = SharedValue(false)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                submit(
                    Job(request: request, cancellation: cancellation, continuation: continuation))
            }
        } onCancel: {
            cancellation.withLock { $0 = true }
            state.withLock { $0.hasCancellation = true }
            Self.wake(state)
        }
        return try result.get()
    }

    private func submit(_ job: Job) {
        let new: MultiHandle?
        do throws(MultiError) {
            new = try state.withLock { state throws(MultiError) -> MultiHandle? in
                let isFirst = state.multi == nil
                if isFirst { state.multi = try MultiHandle() }
                state.arrivals.append(job)
                return isFirst ? state.multi : nil
            }
        } catch {
            return job.fail(error.reason)
        }
        guard let new else { return Self.wake(state) }
        // The thread does not retain the loop: it ends when the loop is released.
        let code = tryToStartThread("transfer") { [state, configuration] in
            Runner(new, state, configuration).run()
        }
        guard code != 0 else { return }
        for job in state.withLock({ $0.takeArrivalsWithoutThread() }) {
            job.fail(reasonWithoutThread(code))
        }
    }

    private static func wake(_ state: Monitor<State>) {
        state.withLock(\.multi)?.wakeUp()
        state.signal()
    }

    // MARK: The thread

    /// The transfers in progress; lives on the thread.
    private final class Runner {
        private let multi: MultiHandle
        private let state: Monitor<State>
        private let configuration: ClientConfiguration
        /// While the machine is suspended, no transfer is slow and no connection idle.
        private let clock = SuspendingClock()
        /// The most connections to a host over TLS: for each of them GnuTLS parses all certificate authorities, 3.7 MB.
        ///
        /// One over HTTP/2 takes all requests, while another one ends: servers end each after some number of requests, and
        /// libcurl 7.88 would replace one by many. HTTP/1.1 needs one for each transfer: as many as there are by default.
        private static let connections = 4
        /// At most one a request.
        private var running: [(transfer: CurlTransfer, job: Job)] = []
        private var idleEnd: SuspendingClock.Instant
        private var meter: BandwidthMeter?

        init(
            _ multi: MultiHandle, _ state: Monitor<State>, _ configuration: ClientConfiguration
        ) {
            self.multi = multi
            self.state = state
            self.configuration = configuration
            idleEnd = clock.now + configuration.limits.idleTimeout
            // What earlier threads received is paid for.
            let received = configuration.receivedBytes.withLock(\.self)
            meter = configuration.bandwidth.map {
                BandwidthMeter($0, totalReceived: received, at: clock.now)
            }
            if configuration.usesTLS { multi.limitConnections(Self.connections) }
        }

        func run() {
            do throws(MultiError) {
                try runTransfers()
            } catch {
                endAll(error)
            }
        }

        /// Runs all transfers until the thread must end.
        private func runTransfers() throws(MultiError) {
            while let (jobs, hasCancellation) = takeArrivals() {
                for job in jobs { start(job) }
                for (id, code) in try multi.perform() {
                    let index = running.firstIndex { $0.transfer.easy.id == id }
                    if let index { end(index, code) }
                }
                if hasCancellation { endCancelled() }
                let received = configuration.receivedBytes.withLock(\.self)
                let pause = meter?.pause(after: received, at: clock.now)
                if let pause, pause > .zero {
                    rest(pause)
                } else {
                    // libcurl wakes up for its own timers.
                    let time =
                        running.isEmpty
                        ? max(clock.now.duration(to: idleEnd), .zero) : .seconds(60)
                    try multi.poll(
                        atMost: mayHaveStreams ? min(time, MultiHandle.streamCheck) : time)
                }
            }
        }

        /// Ends all transfers, and with them this thread: the next request starts another one.
        private func endAll(_ error: MultiError) {
            let jobs = state.withLock { $0.takeArrivalsWithoutThread() }
            for job in jobs { start(job) }
            while !running.isEmpty { end(running.count - 1, CURLE_FAILED_INIT, error.reason) }
        }

        /// Receives nothing for this time, or until a transfer is cancelled: the servers have to wait.
        ///
        /// This keeps the limit of all transfers together; CURLOPT_MAX_RECV_SPEED_LARGE(3) limits one. The loop is
        /// closed only when no transfer is left: its callers retain it.
        private func rest(_ time: Duration) {
            _ = state.wait(atMost: time) { $0.hasCancellation || $0.isClosed ? true : nil }
        }

        /// The jobs since the last call, and whether any was cancelled; `nil` if the thread must end.
        private func takeArrivals() -> (jobs: [Job], hasCancellation: Bool)? {
            state.withLock { state in
                if running.isEmpty, state.arrivals.isEmpty, state.isClosed || clock.now >= idleEnd {
                    state.multi = nil
                    return nil
                }
                defer { (state.arrivals, state.hasCancellation) = ([], false) }
                return (state.arrivals, state.hasCancellation)
            }
        }

        private func endCancelled() {
            for index in running.indices.reversed()
            where running[index].job.isCancelled {
                end(index, nil)
            }
        }

        private func start(_ job: Job) {
            guard !job.isCancelled else {
                return job.continuation.resume(returning: .failure(AttemptFailure(.cancelled)))
            }
            let transfer = CurlTransfer(Exchange(job.request, configuration))
            running.append((transfer, job))
            // Removing a handle that was not added has no effect.
            if !multi.add(transfer.easy) { end(running.count - 1, CURLE_FAILED_INIT) }
        }

        /// Whether a transfer may be over HTTP/2, which only hosts with TLS have.
        private var mayHaveStreams: Bool {
            running.contains { $0.transfer.exchange.request.address.scheme == "https" }
        }

        /// Ends a transfer with a code of libcurl; `nil` if it has not ended and is cancelled.
        ///
        /// `reason` describes the error if it is not one of this transfer alone.
        private func end(_ index: Int, _ code: CURLcode?, _ reason: String? = nil) {
            let (transfer, job) = running.remove(at: index)
            multi.remove(transfer.easy)
            if running.isEmpty { idleEnd = clock.now + configuration.limits.idleTimeout }
            let result = Result { () throws(AttemptFailure) in try transfer.finish(code, reason) }
            // Also if it was cancelled after it had ended.
            job.continuation.resume(
                returning: job.isCancelled ? .failure(AttemptFailure(.cancelled)) : result)
        }
    }
}
