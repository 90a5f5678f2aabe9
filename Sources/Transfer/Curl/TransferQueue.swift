internal import Platform

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

/// The jobs on their way from a ``TransferLoop`` to its ``TransferThread``; both use the queue in one `Monitor`.
struct TransferQueue {
    /// The jobs that the thread has not received.
    var arrivals: [TransferJob] = []
    /// Whether a job was cancelled that the thread has not ended yet.
    var hasCancellation = false
    /// The handle of the thread; `nil` while there is no thread.
    var multi: MultiHandle?
    /// Whether the loop was released, so that no more jobs arrive.
    var isClosed = false

    /// Forgets a thread that has ended, and returns the jobs that it has not received; the next job starts another thread.
    mutating func takeAll() -> [TransferJob] {
        defer { self = TransferQueue(isClosed: isClosed) }
        return arrivals
    }
}

extension Monitor<TransferQueue> {
    /// Ends the wait of the thread in libcurl, or its pause for the limit of bandwidth.
    func wakeThread() {
        withLock(\.multi)?.wakeUp()
        signal()
    }
}
