/// What one request may cost before it is given up.
///
/// A large file on a slow line may take its time, as long as it keeps the minimum rate.
package struct Limits: Hashable, Sendable {
    package static let standard = Limits()

    /// To resolve the name, connect, and agree on TLS.
    package var connect: Duration
    /// A transfer slower than ``stallSpeed`` for so long is over; whole seconds.
    package var stall: Duration
    /// In bytes a second.
    package var stallSpeed: Int
    /// Kept by lists and files alike, redirects included.
    package var minimumRate: MinimumRate
    /// One attempt at a list, redirects included.
    package var list: Duration
    /// How often one request may be sent elsewhere.
    package var redirects: Int
    /// The most bytes that the heads of one response may have.
    package var headerBytes: Int
    /// How long connections are kept when there is nothing to do.
    package var idleTimeout: Duration

    package init(
        connect: Duration = .seconds(15), stall: Duration = .seconds(30), stallSpeed: Int = 100,
        minimumRate: MinimumRate = MinimumRate(), list: Duration = .seconds(120),
        redirects: Int = 5, headerBytes: Int = 256 << 10,
        idleTimeout: Duration = .seconds(2)
    ) {
        self.connect = connect
        self.stall = stall
        self.stallSpeed = stallSpeed
        self.minimumRate = minimumRate
        self.list = list
        self.redirects = redirects
        self.headerBytes = headerBytes
        self.idleTimeout = idleTimeout
    }
}

/// The least that a transfer must bring: so many bytes in its first period, then a rate on average.
///
/// A stall is silence; this ends a transfer that trickles for ever.
package struct MinimumRate: Hashable, Sendable {
    package var firstBytes: Int
    package var firstPeriod: Duration
    package var bytesPerSecond: Int
    /// The most time that fast bytes earn: a fast start allows no endless trickle.
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
