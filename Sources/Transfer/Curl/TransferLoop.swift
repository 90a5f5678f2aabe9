internal import CCurl
internal import Platform

/// Sends the requests of a ``Client``, all of them on one thread with one ``MultiHandle`` of libcurl.
///
/// The first request starts the thread, a ``TransferThread``. The thread ends and closes its connections after
/// ``RequestLimits/idleTimeout`` without a transfer, after a ``MultiError``, and when this object is released.
final class TransferLoop: Sendable {
    private let queue = Monitor(TransferQueue())
    private let configuration: ClientConfiguration

    init(_ configuration: ClientConfiguration) {
        self.configuration = configuration
    }

    deinit {
        queue.withLock { $0.isClosed = true }
        queue.wakeThread()
    }

    /// Sends `request` and receives the response.
    ///
    /// If the task is cancelled, the transfer ends. After the return, the sink of the request is not used any more.
    func perform(_ request: Request) async throws(AttemptFailure) -> Response {
        let cancellation = SharedValue(false)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                submit(
                    TransferJob(
                        request: request, cancellation: cancellation, continuation: continuation))
            }
        } onCancel: {
            cancellation.withLock { $0 = true }
            queue.withLock { $0.hasCancellation = true }
            queue.wakeThread()
        }
        return try result.get()
    }

    /// Adds `job` to the queue, and starts the thread unless it runs.
    private func submit(_ job: TransferJob) {
        let multiOfNewThread: MultiHandle?
        do throws(MultiError) {
            multiOfNewThread = try queue.withLock { queue throws(MultiError) -> MultiHandle? in
                let needsThread = queue.multi == nil
                if needsThread { queue.multi = try MultiHandle() }
                queue.arrivals.append(job)
                return needsThread ? queue.multi : nil
            }
        } catch {
            return job.fail(error.reason)
        }
        guard let multiOfNewThread else { return queue.wakeThread() }
        // The thread must not retain this object, whose release ends it.
        do {
            try tryToStartThread("transfer") { [queue, configuration] in
                TransferThread(multiOfNewThread, queue, configuration).run()
            }
        } catch {
            for job in queue.withLock({ $0.takeAll() }) { job.fail(error.reason) }
        }
    }
}

/// A request whose caller waits for the response.
struct TransferJob: Sendable {
    let request: Request
    /// Whether the caller was cancelled; its task sets this for the thread of all transfers.
    let cancellation: SharedValue<Bool>
    let continuation: CheckedContinuation<Result<Response, AttemptFailure>, Never>

    var isCancelled: Bool { cancellation.withLock(\.self) }

    /// Resumes the caller with the `result`, or with `.cancelled` if it was cancelled meanwhile.
    func end(_ result: Result<Response, AttemptFailure>) {
        continuation.resume(
            returning: isCancelled ? .failure(AttemptFailure(.cancelled)) : result)
    }

    /// Ends a job that no thread has received, with the error that its host is unreachable.
    func fail(_ reason: String) {
        end(
            .failure(
                AttemptFailure(.unreachable(address: request.address.redacted, reason: reason))))
    }
}

/// What ``TransferLoop`` and its thread share: the jobs on their way to the thread.
struct TransferQueue {
    /// The jobs that the thread has not received.
    var arrivals: [TransferJob] = []
    /// Whether a job was cancelled that the thread has not ended yet.
    var hasCancellation = false
    /// The handle of the thread; `nil` while there is no thread.
    var multi: MultiHandle?
    /// Whether the loop was released, after which no job arrives.
    var isClosed = false

    /// Removes and returns all jobs of a thread that has ended; the next job starts another thread.
    mutating func takeAll() -> [TransferJob] {
        defer { self = TransferQueue(isClosed: isClosed) }
        return arrivals
    }
}

extension Monitor<TransferQueue> {
    /// Ends the wait of the thread in libcurl, or its pause for the limit of bandwidth.
    fileprivate func wakeThread() {
        withLock(\.multi)?.wakeUp()
        signal()
    }
}

/// The thread of a ``TransferLoop``: it takes jobs from the queue, and runs their transfers at the same time.
///
/// Only this thread uses this object, because libcurl's handles belong to one thread.
final class TransferThread {
    private let multi: MultiHandle
    private let queue: Monitor<TransferQueue>
    private let configuration: ClientConfiguration
    /// A clock that stops while the machine is suspended, when no transfer is slow and no connection is idle.
    private let clock = SuspendingClock()
    private var running: [(transfer: CurlTransfer, job: TransferJob)] = []
    /// When the thread ends if no transfer begins before.
    private var idleEnd: SuspendingClock.Instant
    /// Limits the bandwidth of all transfers; `nil` if there is no limit.
    private var meter: BandwidthMeter?

    /// The most connections to a host over TLS: for each, GnuTLS parses all certificate authorities, which takes 3.7 MB.
    ///
    /// With HTTP/1.1, each of the four downloads that run by default needs a connection. With HTTP/2, they share one; but
    /// when a server closes it after some number of requests, libcurl 7.88 would open one for each transfer.
    private static let maximumConnections = 4

    init(
        _ multi: MultiHandle, _ queue: Monitor<TransferQueue>,
        _ configuration: ClientConfiguration
    ) {
        self.multi = multi
        self.queue = queue
        self.configuration = configuration
        idleEnd = clock.now + configuration.limits.idleTimeout
        // The meter must not count what earlier threads received.
        let received = configuration.receivedBytes.withLock(\.self)
        meter = configuration.bandwidth.map {
            BandwidthMeter($0, totalReceived: received, at: clock.now)
        }
        let usesTLS = configuration.policy.upstream?.scheme != "http"
        if usesTLS { multi.limitConnections(Self.maximumConnections) }
    }

    /// Runs until the thread must end.
    func run() {
        do throws(MultiError) {
            while let (jobs, hasCancellation) = receiveArrivals() {
                for job in jobs { start(job) }
                for (id, code) in try multi.perform() { endTransfer(id, code) }
                if hasCancellation { endCancelledTransfers() }
                try waitForWork()
            }
        } catch {
            endAll(error)
        }
    }

    /// The jobs since the last call, and whether any job was cancelled; `nil` if the thread must end.
    private func receiveArrivals() -> (jobs: [TransferJob], hasCancellation: Bool)? {
        queue.withLock { queue in
            if running.isEmpty, queue.arrivals.isEmpty, queue.isClosed || clock.now >= idleEnd {
                queue.multi = nil
                return nil
            }
            defer { (queue.arrivals, queue.hasCancellation) = ([], false) }
            return (queue.arrivals, queue.hasCancellation)
        }
    }

    // MARK: Waiting

    /// Waits for the network, for a caller, or for the end of a pause.
    private func waitForWork() throws(MultiError) {
        let received = configuration.receivedBytes.withLock(\.self)
        if let pause = meter?.pause(after: received, at: clock.now), pause > .zero {
            return waitWithoutReceiving(pause)
        }
        // During transfers, libcurl also wakes up for its own timers, so that the minute is hardly ever reached.
        let idleTime = max(clock.now.duration(to: idleEnd), .zero)
        let time = running.isEmpty ? idleTime : .seconds(60)
        try multi.poll(atMost: mayUseHTTP2 ? min(time, MultiHandle.longestHTTP2Wait) : time)
    }

    /// Waits for this time, or until a transfer is cancelled, without receiving, so that the servers have to wait.
    ///
    /// This limits all transfers together; CURLOPT_MAX_RECV_SPEED_LARGE(3) would limit each by itself.
    private func waitWithoutReceiving(_ time: Duration) {
        _ = queue.wait(atMost: time) { $0.hasCancellation || $0.isClosed ? true : nil }
    }

    /// Whether a transfer may use HTTP/2, which only hosts with TLS have.
    private var mayUseHTTP2: Bool {
        running.contains { $0.transfer.exchange.request.address.scheme == "https" }
    }

    // MARK: Starting and ending transfers

    private func start(_ job: TransferJob) {
        guard !job.isCancelled else { return job.end(.failure(AttemptFailure(.cancelled))) }
        let transfer = CurlTransfer(Exchange(job.request, configuration))
        running.append((transfer, job))
        // Removing a handle that was not added has no effect.
        if !multi.add(transfer.easy) {
            end(running.count - 1, transfer.end(by: CURLE_FAILED_INIT))
        }
    }

    private func endTransfer(_ id: Int, _ code: CURLcode) {
        guard let index = running.firstIndex(where: { $0.transfer.easy.id == id }) else { return }
        end(index, running[index].transfer.end(by: code))
    }

    private func endCancelledTransfers() {
        for index in running.indices.reversed() where running[index].job.isCancelled {
            end(index, .cancelled)
        }
    }

    /// Ends all transfers and jobs with the `error` that ends this thread; the next request starts another thread.
    private func endAll(_ error: MultiError) {
        for job in queue.withLock({ $0.takeAll() }) { start(job) }
        while !running.isEmpty {
            end(running.count - 1, .failed(CURLE_FAILED_INIT, reason: error.reason))
        }
    }

    private func end(_ index: Int, _ ending: TransferEnd) {
        let (transfer, job) = running.remove(at: index)
        multi.remove(transfer.easy)
        if running.isEmpty { idleEnd = clock.now + configuration.limits.idleTimeout }
        job.end(Result { () throws(AttemptFailure) in try transfer.finish(ending) })
    }
}
