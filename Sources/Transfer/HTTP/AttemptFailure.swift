package import Platform

/// Why one attempt at a request failed, and what ``Client`` should do about it.
struct AttemptFailure: Error {
    let error: TransferError
    let remedy: Remedy

    enum Remedy: Sendable {
        /// Make no other attempt, because it would fail as well.
        case giveUp
        /// Make another attempt if ``RequestAttempts`` allows it, and if the host asked for a pause, after the pause.
        case retry(RequestedPause? = nil)
        /// Send the request again at once, and do not decode the body, because its `Content-Encoding` names no coding.
        case takeBodyAsItComes
    }

    /// The pause that a host asked for with the `Retry-After` of its response.
    struct RequestedPause: Sendable {
        let host: String
        let seconds: Double
    }

    init(_ error: TransferError, _ remedy: Remedy) {
        self.error = error
        self.remedy = remedy
    }

    /// A failure with the usual remedy of `error`: `.retry()` for status 503, `.giveUp` for status 404.
    init(_ error: TransferError) {
        let remedy: Remedy =
            switch error {
            case .unreachable, .broken: .retry()
            case .refused(_, let status, _):
                Self.transientStatuses.contains(status) ? .retry() : .giveUp
            case .forbidden, .blocked, .skipped, .throttled, .tooLong, .rejected, .noSpace, .file,
                .cancelled, .notModified:
                .giveUp
            }
        self.init(error, remedy)
    }

    /// The statuses whose cause may be gone a moment later; see RFC 9110, RFC 6585 for 429 and RFC 8470 for 425.
    private static let transientStatuses: Set = [
        408,  // Request Timeout
        425,  // Too Early
        429,  // Too Many Requests
        500,  // Internal Server Error
        502,  // Bad Gateway
        503,  // Service Unavailable
        504,  // Gateway Timeout
    ]

    /// Whether the same request may well succeed a moment later.
    var isWorthRetrying: Bool { if case .giveUp = remedy { false } else { true } }

    /// The pause that the host asked for; `nil` if it asked for none.
    var pause: RequestedPause? { if case .retry(let pause) = remedy { pause } else { nil } }

    /// Whether a server answered, and would answer the same request in the same way: with status 404, but not with 503.
    var isFinalAnswer: Bool {
        switch error {
        case .refused, .broken: !isWorthRetrying
        case .forbidden, .blocked, .skipped, .unreachable, .throttled, .tooLong, .rejected,
            .noSpace, .file, .cancelled, .notModified:
            false
        }
    }

    /// An invalid response that would not differ after another attempt.
    static func permanent(_ address: WebURL, _ reason: String) -> AttemptFailure {
        AttemptFailure(.broken(address: address.redacted, reason: reason.excerpt), .giveUp)
    }
}

/// The number of attempts at a request and the pauses between them.
package struct RequestAttempts: Hashable, Sendable {
    package static let standard = RequestAttempts()
    /// For `doctor`: its user waits for the result.
    package static let brief = RequestAttempts(maximum: 2, maximumRetryAfter: .zero)

    /// If an attempt extends a file by so many bytes, the count of attempts begins again.
    ///
    /// Thus, a file of any size can be downloaded over a connection that breaks after each megabyte. If each attempt brings
    /// only a few bytes, the attempts end, because the download would take forever.
    static let bytesOfProgress = 256 << 10

    /// The maximum number of attempts, including the first.
    var maximum: Int
    /// The pauses between attempts; a server may ask for longer ones.
    var backoff: Backoff
    /// The longest `Retry-After` that a request waits for; with a longer one, the request fails.
    var maximumRetryAfter: Duration

    package init(
        maximum: Int = 4, backoff: Backoff = .request,
        maximumRetryAfter: Duration = WaitLimit.retryAfterOfAttempt
    ) {
        self.maximum = maximum
        self.backoff = backoff
        self.maximumRetryAfter = maximumRetryAfter
    }

    /// The pause after the failure of attempt number `attempt`, 1 for the first, if the server asks for none.
    ///
    /// `random`, from 0 to 1, spreads requests that failed together over the second half of the pause: 4 s become 2 to 4 s.
    func delay(after attempt: Int, random: Double) -> Duration {
        backoff.delay(after: attempt) * (0.5 + 0.5 * random)
    }

    /// The pause before the next attempt, at least what the server asks for; `nil` if there is no next attempt.
    func pause(after failure: AttemptFailure, attempt: Int, random: Double) -> Duration? {
        guard failure.isWorthRetrying, attempt < maximum else { return nil }
        let delay = delay(after: attempt, random: random)
        guard let pause = failure.pause else { return delay }
        let requested = Duration.seconds(pause.seconds)
        return requested <= maximumRetryAfter ? max(requested, delay) : nil
    }
}
