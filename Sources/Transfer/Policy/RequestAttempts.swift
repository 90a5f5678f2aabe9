internal import CCurl
package import Platform

/// The number of attempts at a request and the pauses between them.
package struct RequestAttempts: Hashable, Sendable {
    package static let standard = RequestAttempts()
    /// For `doctor`: its user waits for the result.
    package static let brief = RequestAttempts(maximum: 2, maximumRetryAfter: .zero)

    /// The maximum number of attempts, including the first.
    var maximum: Int
    /// The pauses, unless a server asks for longer ones.
    var backoff: Backoff
    /// The maximum `Retry-After` that a request waits for; a longer one ends it.
    var maximumRetryAfter: Duration

    package init(
        maximum: Int = 4, backoff: Backoff = .request,
        maximumRetryAfter: Duration = Backoff.serverRequest
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
        let requested = Duration.seconds(pause.length.seconds)
        return requested <= maximumRetryAfter ? max(requested, delay) : nil
    }
}

/// The value of a `Retry-After`: how long to send no requests.
struct RetryAfter: Hashable, Sendable {
    static let longest = Backoff.longestServerRequest / .seconds(1)

    /// From now on, never negative, at most ``longest``.
    let seconds: Double

    init(seconds: Double) {
        self.seconds = min(max(seconds, 0), Self.longest)
    }

    /// Reads seconds or a date in any of the three forms of RFC 9110, 5.6.7.
    init?(_ text: String, now: Double) {
        if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }) {
            self.init(seconds: Double(text) ?? Self.longest)
        } else {
            guard let date = httpDate(text) else { return nil }
            self.init(seconds: date - now)
        }
    }
}

/// Reads a date in any of the three forms of RFC 9110, 5.6.7, as seconds since 1970.
func httpDate(_ text: String) -> Double? {
    // curl_getdate(3) reads much more than dates of HTTP: hence the conditions.
    guard text.first?.isLetter == true, text.contains(":") else { return nil }
    let date = unsafe curl_getdate(text, nil)
    return date == -1 ? nil : Double(date)
}
