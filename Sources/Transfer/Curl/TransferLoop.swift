internal import Platform

/// Runs all transfers of a client on one thread, with one multi handle of libcurl.
///
/// This object passes requests to the thread, ``TransferThread``, and starts it with the first one. The thread ends, and
/// closes its connections, after ``Limits/idleTimeout`` without a transfer, after a ``MultiError``, or with this object.
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
    /// Cancellation ends the transfer. The sink of the request is not used after the return.
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

    /// Adds `job` to the queue, and starts the thread unless there is one.
    private func submit(_ job: TransferJob) {
        let new: MultiHandle?
        do throws(MultiError) {
            new = try queue.withLock { queue throws(MultiError) -> MultiHandle? in
                let needsThread = queue.multi == nil
                if needsThread { queue.multi = try MultiHandle() }
                queue.arrivals.append(job)
                return needsThread ? queue.multi : nil
            }
        } catch {
            return job.fail(error.reason)
        }
        guard let new else { return queue.wakeThread() }
        // The thread does not retain this object: it ends when this is released.
        let failure = tryToStartThread("transfer") { [queue, configuration] in
            TransferThread(new, queue, configuration).run()
        }
        guard let failure else { return }
        for job in queue.withLock({ $0.removeAll() }) { job.fail(failure) }
    }
}

/// A request whose caller waits for the response.
struct TransferJob: Sendable {
    let request: Request
    /// Whether the caller was cancelled: its task sets this, and the thread of all transfers reads it.
    let cancellation: SharedValue<Bool>
    let continuation: CheckedContinuation<Result<Response, AttemptFailure>, Never>

    var isCancelled: Bool { cancellation.withLock(\.self) }

    /// Resumes the caller; one that was cancelled learns nothing else, even if its transfer had ended before.
    func end(_ result: Result<Response, AttemptFailure>) {
        continuation.resume(
            returning: isCancelled ? .failure(AttemptFailure(.cancelled)) : result)
    }

    /// Ends a request that no thread received, for this reason.
    func fail(_ reason: String) {
        end(
            .failure(
                AttemptFailure(.unreachable(address: request.address.redacted, reason: reason))))
    }
}

/// What the callers of ``TransferLoop`` have for its thread.
struct TransferQueue {
    /// The jobs that the thread has not taken: at most one a task that waits for its response.
    var arrivals: [TransferJob] = []
    /// Whether a cancelled job has not been ended yet.
    var hasCancellation = false
    /// The transfers of the thread; `nil` while there is no thread.
    var multi: MultiHandle?
    /// Whether the loop was released: no job comes any more.
    var isClosed = false

    /// Takes all jobs when there is no thread any more; the next job starts another one.
    mutating func removeAll() -> [TransferJob] {
        let jobs = arrivals
        (arrivals, hasCancellation, multi) = ([], false, nil)
        return jobs
    }
}

extension Monitor<TransferQueue> {
    /// Ends the wait of the thread, if there is one: in libcurl, or for the end of a pause.
    fileprivate func wakeThread() {
        withLock(\.multi)?.wakeUp()
        signal()
    }
}
