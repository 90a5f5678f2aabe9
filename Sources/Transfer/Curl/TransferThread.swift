internal import CCurl
internal import Platform

/// The transfers in progress of a ``TransferLoop``, all of which its thread runs.
///
/// libcurl's handles belong to one thread, so this object is used there alone. Jobs come by the queue.
final class TransferThread {
    private let multi: MultiHandle
    private let queue: Monitor<TransferQueue>
    private let configuration: ClientConfiguration
    /// While the machine is suspended, no transfer is slow and no connection idle.
    private let clock = SuspendingClock()
    /// At most one a request.
    private var running: [(transfer: CurlTransfer, job: TransferJob)] = []
    /// When the thread ends if there is no transfer until then.
    private var idleEnd: SuspendingClock.Instant
    /// `nil` without a limit of bandwidth.
    private var meter: BandwidthMeter?

    /// The most connections to a host over TLS: for each of them GnuTLS parses all certificate authorities, 3.7 MB.
    ///
    /// One over HTTP/2 takes all requests, while another one ends: servers end each after some number of requests, and
    /// libcurl 7.88 would replace one by many. HTTP/1.1 needs one for each transfer: as many as there are by default.
    private static let connections = 4

    init(
        _ multi: MultiHandle, _ queue: Monitor<TransferQueue>,
        _ configuration: ClientConfiguration
    ) {
        self.multi = multi
        self.queue = queue
        self.configuration = configuration
        idleEnd = clock.now + configuration.limits.idleTimeout
        // What earlier threads received is paid for.
        let received = configuration.receivedBytes.withLock(\.self)
        meter = configuration.bandwidth.map {
            BandwidthMeter($0, totalReceived: received, at: clock.now)
        }
        if configuration.usesTLS { multi.limitConnections(Self.connections) }
    }

    /// Runs all transfers until the thread must end.
    func run() {
        do throws(MultiError) {
            while let (jobs, hasCancellation) = takeArrivals() {
                for job in jobs { start(job) }
                for (id, code) in try multi.perform() { endTransfer(id, code) }
                if hasCancellation { endCancelledTransfers() }
                try waitForWork()
            }
        } catch {
            endAll(error)
        }
    }

    /// The jobs since the last call, and whether any was cancelled; `nil` if the thread must end.
    private func takeArrivals() -> (jobs: [TransferJob], hasCancellation: Bool)? {
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

    /// Waits until libcurl, a caller or the limit of bandwidth has something to do.
    private func waitForWork() throws(MultiError) {
        let received = configuration.receivedBytes.withLock(\.self)
        if let pause = meter?.pause(after: received, at: clock.now), pause > .zero {
            return rest(pause)
        }
        // libcurl wakes up for its own timers: a minute is only the longest wait that it takes.
        let idleTime = max(clock.now.duration(to: idleEnd), .zero)
        let time = running.isEmpty ? idleTime : .seconds(60)
        try multi.poll(atMost: mayHaveStreams ? min(time, MultiHandle.streamCheck) : time)
    }

    /// Receives nothing for this time, or until a transfer is cancelled: the servers have to wait.
    ///
    /// This keeps the limit of all transfers together; CURLOPT_MAX_RECV_SPEED_LARGE(3) limits one. The loop is
    /// closed only when no transfer is left: its callers retain it.
    private func rest(_ time: Duration) {
        _ = queue.wait(atMost: time) { $0.hasCancellation || $0.isClosed ? true : nil }
    }

    /// Whether a transfer may be over HTTP/2, which only hosts with TLS have.
    private var mayHaveStreams: Bool {
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

    /// Ends the transfer that libcurl has ended with `code`.
    private func endTransfer(_ id: Int, _ code: CURLcode) {
        guard let index = running.firstIndex(where: { $0.transfer.easy.id == id }) else { return }
        end(index, running[index].transfer.end(by: code))
    }

    private func endCancelledTransfers() {
        for index in running.indices.reversed() where running[index].job.isCancelled {
            end(index, .cancelled)
        }
    }

    /// Ends all transfers, and with them this thread: the next request starts another one.
    private func endAll(_ error: MultiError) {
        for job in queue.withLock({ $0.removeAll() }) { start(job) }
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
