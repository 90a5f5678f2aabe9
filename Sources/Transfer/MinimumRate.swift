/// The least that a transfer must bring: so many bytes in its first period, then a rate on average.
///
/// A stall is silence; this ends a transfer that trickles for ever.
package struct MinimumRate: Hashable, Sendable {
    package var firstBytes: Int
    package var firstPeriod: Duration
    package var bytesPerSecond: Int
    /// What came quickly pays for no more than this: a fast start buys no endless trickle.
    package var longestCredit: Duration

    package init(
        firstBytes: Int = 64 << 10, firstPeriod: Duration = .seconds(60),
        bytesPerSecond: Int = 10 << 10, longestCredit: Duration = .seconds(300)
    ) {
        self.firstBytes = firstBytes
        self.firstPeriod = firstPeriod
        self.bytesPerSecond = bytesPerSecond
        self.longestCredit = longestCredit
    }
}
