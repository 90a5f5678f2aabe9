package import Platform

/// Why one attempt at a request failed, and what may help.
struct AttemptFailure: Error {
    let error: TransferError
    let remedy: Remedy

    enum Remedy: Sendable {
        /// Another attempt at the same request would fail, too.
        case none
        /// Another attempt, as far as ``RequestAttempts`` allows, after the pause that the host asked for, if it did.
        case retry(RequestedPause? = nil)
        /// The same request at once, but libcurl does not decode the body: its `Content-Encoding` names no coding.
        case takeBodyAsItComes
    }

    /// How long a host wants no request: the `Retry-After` of a response.
    struct RequestedPause: Sendable {
        let host: String
        let seconds: Double
    }

    init(_ error: TransferError, _ remedy: Remedy) {
        (self.error, self.remedy) = (error, remedy)
    }

    /// A failure with the remedy that such an error usually has: `.retry()` for status 503, `.none` for status 404.
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

    /// Whether a server answered, and would answer the same request in the same way.
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

/// The number of attempts at a request and the pauses between them.
package struct RequestAttempts: Hashable, Sendable {
    package static let standard = RequestAttempts()
    /// For `doctor`: its user waits for the result.
    package static let brief = RequestAttempts(maximum: 2, maximumRetryAfter: .zero)

    /// An attempt that brings so many bytes more than any before counts as the first: a line that breaks again and again
    /// delivers a large file, too.
    static let progress = 256 << 10

    /// The maximum number of attempts, including the first.
    var maximum: Int
    /// The pauses, unless a server asks for longer ones.
    var backoff: Backoff
    /// The longest `Retry-After` that a request waits for; after a longer one, it fails.
    var maximumRetryAfter: Duration

    package init(
        maximum: Int = 4, backoff: Backoff = .request,
        maximumRetryAfter: Duration = RetryDelay.longestRetryAfterToWait
    ) {
        self.maximum = maximum
        self.backoff = backoff
        self.maximumRetryAfter = maximumRetryAfter
    }

    /// The pause after an attempt that failed, 1 for the first.
    ///
    /// `random`, from 0 to 1, spreads simultaneous failures over the second half of the pause: 4 s become 2 to 4 s.
    func delay(attempt: Int, random: Double) -> Duration {
        backoff.delay(after: attempt) * (0.5 + 0.5 * random)
    }

    /// The pause before the next attempt, at least what the server asks for; `nil` if there is no next attempt.
    func pause(after failure: AttemptFailure, attempt: Int, random: Double) -> Duration? {
        guard failure.isWorthRetrying, attempt < maximum else { return nil }
        let delay = delay(attempt: attempt, random: random)
        guard let pause = failure.pause else { return delay }
        let requested = Duration.seconds(pause.seconds)
        return requested <= maximumRetryAfter ? max(requested, delay) : nil
    }
}
