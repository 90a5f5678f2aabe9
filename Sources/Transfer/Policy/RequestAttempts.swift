package import Platform

/// The number of attempts at a request and the pauses between them.
package struct RequestAttempts: Hashable, Sendable {
    package static let standard = RequestAttempts()
    /// For `doctor`: its user waits for the result.
    package static let brief = RequestAttempts(maximum: 2, maximumRetryAfter: .zero)

    /// So many bytes more of a file than any attempt before had are no failure: a line that breaks brings it at last.
    static let progress = 256 << 10

    /// The maximum number of attempts, including the first.
    var maximum: Int
    /// The pauses, unless a server asks for longer ones.
    var backoff: Backoff
    /// The maximum `Retry-After` that a request waits for; a longer one ends it.
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
    /// `random`, from 0 to 1, distributes simultaneous failures over the second half of the pause.
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
