internal import CCurl
internal import Platform

/// The thread of a ``TransferLoop``: takes jobs from the queue, and runs their transfers at the same time.
///
/// Only the thread itself uses this object. It keeps ``ClientConfiguration/bandwidth``, the limit of all transfers together,
/// by pauses in which it receives nothing.
final class TransferThread {
    private let multi: MultiHandle
    private let queue: Monitor<TransferQueue>
    private let configuration: ClientConfiguration
    /// A clock that stops while the machine is suspended, when no transfer is slow and no connection is idle.
    private let clock = SuspendingClock()
    /// The transfers that have begun and not ended.
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
        multi: MultiHandle, queue: Monitor<TransferQueue>, configuration: ClientConfiguration
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
                for (id, code) in try multi.perform() { endTransfer(withID: id, by: code) }
                if hasCancellation { endCancelledTransfers() }
                try waitForWork()
            }
        } catch {
            endAll(error)
        }
    }

    /// Takes the jobs that arrived since the last call, and whether any job was cancelled; `nil` if the thread must end.
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

    /// Waits without receiving, so that the servers have to wait: for `time`, or until a job is cancelled or the loop released.
    ///
    /// This limits all transfers together; CURLOPT_MAX_RECV_SPEED_LARGE(3) would limit each by itself.
    private func waitWithoutReceiving(_ time: Duration) {
        _ = queue.wait(atMost: time) { queue in
            let mustEnd = queue.hasCancellation || queue.isClosed
            return mustEnd ? true : nil
        }
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
        guard !multi.add(transfer.easy) else { return }
        // Removing a handle that was not added has no effect.
        endTransfer(at: running.count - 1, by: transfer.end(by: CURLE_FAILED_INIT))
    }

    private func endTransfer(withID id: Int, by code: CURLcode) {
        guard let index = running.firstIndex(where: { $0.transfer.easy.id == id }) else { return }
        endTransfer(at: index, by: running[index].transfer.end(by: code))
    }

    private func endCancelledTransfers() {
        for index in running.indices.reversed() where running[index].job.isCancelled {
            endTransfer(at: index, by: .cancelled)
        }
    }

    /// Ends all transfers and jobs with the `error` that ends this thread; the next request starts another thread.
    private func endAll(_ error: MultiError) {
        for job in queue.withLock({ $0.takeAll() }) { start(job) }
        while !running.isEmpty {
            endTransfer(
                at: running.count - 1, by: .failed(CURLE_FAILED_INIT, reason: error.reason))
        }
    }

    private func endTransfer(at index: Int, by ending: TransferEnd) {
        let (transfer, job) = running.remove(at: index)
        multi.remove(transfer.easy)
        if running.isEmpty { idleEnd = clock.now + configuration.limits.idleTimeout }
        job.end(Result { () throws(AttemptFailure) in try transfer.finish(ending) })
    }
}
