/// Growing delays between attempts: of requests, days, thumbnails and polls.
package struct Backoff: Hashable, Sendable {
    private let first: Duration
    private let factor: Int
    private let longest: Duration

    /// Each delay is the one before times `factor`, up to `longest`.
    package init(first: Duration, factor: Int, longest: Duration) {
        self.first = first
        self.factor = factor
        self.longest = longest
    }

    /// The delay after so many failures in a row, at least one.
    package func delay(after failures: Int) -> Duration {
        var delay = first
        for _ in 1..<max(failures, 1) where delay < longest { delay *= factor }
        return min(delay, longest)
    }

    /// The delay that follows `earlier`.
    package func delay(following earlier: Duration) -> Duration { limited(earlier * factor) }

    /// `delay` within the first and the longest one.
    package func limited(_ delay: Duration) -> Duration { max(first, min(delay, longest)) }
}
