/// Delays between attempts at something that fails, each longer than the one before: 10 minutes, 30 minutes, 90 minutes.
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

    /// The delay after so many `failures` in a row; after one, it is the first delay.
    package func delay(after failures: Int) -> Duration {
        var delay = first
        for _ in 1..<max(failures, 1) where delay < longest { delay *= factor }
        return min(delay, longest)
    }

    /// The delay that follows the delay `earlier`, for a caller that knows the last delay but not the number of failures.
    package func delay(following earlier: Duration) -> Duration { limited(earlier * factor) }

    /// A stored `delay`, limited to the first and the longest one, because another version of the program may have chosen it.
    package func limited(_ delay: Duration) -> Duration { max(first, min(delay, longest)) }
}
