internal import Platform

/// Why one attempt at a request failed, and what may help.
struct AttemptFailure: Error {
    let error: TransferError
    let remedy: Remedy

    enum Remedy: Sendable {
        /// Nothing: another attempt at the same request would not change it.
        case none
        /// Another attempt, as far as ``RequestAttempts`` allows, after the pause that the host asked for, if it did.
        case retry(RequestedPause? = nil)
        /// The same request at once, whose body libcurl does not decode: its `Content-Encoding` names no coding.
        case takeBodyAsItComes
    }

    /// For how long a host wants no request: the `Retry-After` of a response.
    struct RequestedPause: Sendable {
        let host: String
        let seconds: Double
    }

    init(_ error: TransferError, _ remedy: Remedy) {
        (self.error, self.remedy) = (error, remedy)
    }

    /// A failure with the remedy that such an error usually has.
    init(_ error: TransferError) {
        let remedy: Remedy =
            switch error {
            case .unreachable, .broken: .retry()
            // Timeout, too early, too many requests, and errors of the server that pass; see RFC 9110, 15.
            case .refused(_, 408, _), .refused(_, 425, _), .refused(_, 429, _),
                .refused(_, 500, _), .refused(_, 502...504, _):
                .retry()
            case .refused, .forbidden, .throttled, .tooLong, .rejected, .noSpace, .file, .cancelled,
                .notModified:
                .none
            }
        self.init(error, remedy)
    }

    /// Whether the same request may well succeed a moment later.
    var isWorthRetrying: Bool { if case .none = remedy { false } else { true } }

    /// The pause that the host asked for.
    var pause: RequestedPause? { if case .retry(let pause) = remedy { pause } else { nil } }

    /// Whether a server answered, and another attempt at the same request would not change that.
    var isAnswer: Bool {
        switch error {
        case .refused, .broken: !isWorthRetrying
        case .forbidden, .unreachable, .throttled, .tooLong, .rejected, .noSpace, .file, .cancelled,
            .notModified:
            false
        }
    }

    /// An invalid response that another attempt would not change.
    static func permanent(_ address: WebURL, _ reason: String) -> AttemptFailure {
        AttemptFailure(.broken(address: address.redacted, reason: reason.excerpt), .none)
    }
}
