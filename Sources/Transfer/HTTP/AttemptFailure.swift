internal import Platform

/// Why one attempt at a request failed, and what ``Client`` does about it.
///
/// ``Exchange`` and the sinks throw it, ``Client`` for a status such as 429, and ``RequestAttempts`` decides by it whether and
/// when there is another attempt. The caller of the client receives only the ``error`` of the last attempt.
struct AttemptFailure: Error {
    let error: TransferError
    let remedy: Remedy

    enum Remedy: Sendable {
        /// Make no other attempt, because it would most likely fail as well.
        case giveUp
        /// Make another attempt if ``RequestAttempts`` allows it, and after the pause that the host asked for, if it did.
        case retry(after: RequestedPause? = nil)
        /// Send the request again at once, and do not decode the body, because its `Content-Encoding` names no coding.
        case takeBodyAsItComes
    }

    /// The pause that a host asked for with the `Retry-After` of its response.
    struct RequestedPause: Sendable {
        let host: String
        let seconds: Double
    }

    /// The failure for an invalid response that would not differ after another attempt.
    static func permanent(_ address: WebURL, _ reason: String) -> AttemptFailure {
        AttemptFailure(
            error: .broken(address: address.redacted, reason: reason.excerpt), remedy: .giveUp)
    }

    /// Whether the same request may well succeed a moment later.
    var isWorthRetrying: Bool {
        switch remedy {
        case .giveUp: false
        case .retry, .takeBodyAsItComes: true
        }
    }

    /// The pause that the host asked for; `nil` if it asked for none.
    var requestedPause: RequestedPause? {
        if case .retry(let pause) = remedy { pause } else { nil }
    }

    /// Whether a server answered, and would probably repeat its answer, as with status 404, but not with 503.
    var isFinalAnswer: Bool {
        switch error {
        case .refused, .broken: !isWorthRetrying
        case .forbidden, .blocked, .skipped, .unreachable, .throttled, .tooLong, .rejected,
            .noSpace, .file, .cancelled, .notModified:
            false
        }
    }
}

extension AttemptFailure {
    /// A failure with the usual remedy of `error`.
    init(_ error: TransferError) {
        self.init(error: error, remedy: error.isTransient ? .retry() : .giveUp)
    }
}

extension TransferError {
    /// Whether the cause of the error may be gone a moment later, as after status 503, but not after status 404.
    var isTransient: Bool {
        switch self {
        case .unreachable, .broken: true
        case .refused(_, let status, _): Self.transientStatuses.contains(status)
        case .forbidden, .blocked, .skipped, .throttled, .tooLong, .rejected, .noSpace, .file,
            .cancelled, .notModified:
            false
        }
    }

    /// See RFC 9110, RFC 6585 for 429, and RFC 8470 for 425.
    private static let transientStatuses: Set = [
        408,  // Request Timeout
        425,  // Too Early
        429,  // Too Many Requests
        500,  // Internal Server Error
        502,  // Bad Gateway
        503,  // Service Unavailable
        504,  // Gateway Timeout
    ]
}

/// Runs a step of an attempt; its error becomes a failure with the usual remedy.
func attempting<Value: ~Copyable>(
    _ step: () throws(TransferError) -> Value
) throws(AttemptFailure) -> Value {
    do {
        return try step()
    } catch {
        throw AttemptFailure(error)
    }
}
