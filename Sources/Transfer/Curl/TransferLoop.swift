internal import Platform

/// Sends the requests of a ``Client``, all of them on one thread, because the handles of libcurl belong to one thread.
///
/// The first request starts the thread, a ``TransferThread``, which receives requests through a ``TransferQueue``. The thread
/// ends and closes its connections after ``RequestLimits/idleTimeout`` without a transfer, after a ``MultiError``, and when
/// this object is released. After the first two, the next request starts another thread.
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
        // The thread must not retain this object, because the release of this object ends the thread.
        do {
            try startOptionalThread("transfer") { [queue, configuration] in
                TransferThread(multi: multiOfNewThread, queue: queue, configuration: configuration)
                    .run()
            }
        } catch {
            for job in queue.withLock({ $0.takeAll() }) { job.fail(error.reason) }
        }
    }
}
