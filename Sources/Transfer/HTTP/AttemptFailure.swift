internal import Platform

/// Why one attempt at a request failed, and whether ``RequestAttempts`` allows another one.
struct AttemptFailure: Error {
    let error: TransferError
    /// Whether the same request may well succeed a moment later.
    let isWorthRetrying: Bool
    /// For how many seconds a host wants no request: the `Retry-After` of the response.
    let pause: (host: String, seconds: Double)?
    /// Whether libcurl could not decode the body, by a `Content-Encoding` that names no coding.
    let isOfUnknownCoding: Bool

    init(
        _ error: TransferError, isWorthRetrying: Bool? = nil,
        pause: (host: String, seconds: Double)? = nil, isOfUnknownCoding: Bool = false
    ) {
        self.error = error
        self.isOfUnknownCoding = isOfUnknownCoding
        self.isWorthRetrying = isWorthRetrying ?? Self.isWorthRetrying(error)
        self.pause = pause
    }

    private static func isWorthRetrying(_ error: TransferError) -> Bool {
        switch error {
        case .unreachable, .broken: true
        // Timeout, too early, too many requests, and errors of the server that pass; see RFC 9110, 15.
        case .refused(_, let status, _): [408, 425, 429, 500, 502, 503, 504].contains(status)
        case .forbidden, .throttled, .tooLong, .rejected, .noSpace, .file, .cancelled, .notModified:
            false
        }
    }

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
        AttemptFailure(
            .broken(address: address.redacted, reason: reason.excerpt), isWorthRetrying: false)
    }
}
