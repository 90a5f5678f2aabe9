package import Platform

/// How many attempts ``Client`` makes at a request, and how long it waits between them.
package struct RequestAttempts: Hashable, Sendable {
    package static let standard = RequestAttempts()
    /// For `doctor`: its user waits for the result.
    package static let brief = RequestAttempts(maximum: 2, maximumRetryAfter: .zero)

    /// If an attempt extends a file by so many bytes, the count of attempts begins again.
    ///
    /// Thus, a file of any size can be downloaded over a connection that breaks after each megabyte. If each attempt brings
    /// only a few bytes, the attempts end, because the download would take too long.
    static let bytesOfProgress = 256 << 10

    /// The maximum number of attempts, including the first.
    private let maximum: Int
    /// The pauses between attempts; a server may ask for longer ones.
    private let backoff: Backoff
    /// The longest `Retry-After` that a request waits for; with a longer one, the request fails.
    private let maximumRetryAfter: Duration

    package init(
        maximum: Int = 4, backoff: Backoff = .request,
        maximumRetryAfter: Duration = WaitLimit.retryAfterOfAttempt
    ) {
        self.maximum = maximum
        self.backoff = backoff
        self.maximumRetryAfter = maximumRetryAfter
    }

    /// The pause between attempt `number`, 1 for the first, which ended with `failure`, and the next one.
    ///
    /// - Returns: `nil` if there is no next attempt.
    func pause(after failure: AttemptFailure, attempt number: Int) -> Duration? {
        guard failure.isWorthRetrying, number < maximum else { return nil }
        let delay = backoff.delay(after: number)
        guard let requestedPause = failure.requestedPause else { return delay }
        let requested = Duration.seconds(requestedPause.seconds)
        return requested <= maximumRetryAfter ? max(requested, delay) : nil
    }
}
