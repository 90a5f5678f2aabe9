/// The limits of one request.
///
/// A large file may take any time at the minimum rate.
package struct Limits: Hashable, Sendable {
    package static let standard = Limits()

    /// The time to resolve the name, connect, and negotiate TLS.
    package var connect: Duration
    /// A transfer that is slower than ``stallSpeed`` for this time is ended; whole seconds.
    package var stall: Duration
    /// In bytes a second.
    package var stallSpeed: Int
    /// Of lists and files, including redirects.
    package var minimumRate: MinimumRate
    /// The time of one attempt at a list, including redirects.
    package var list: Duration
    /// The maximum number of redirects of a request.
    package var redirects: Int
    /// The maximum size of the headers of one response in bytes.
    package var headerBytes: Int
    /// The time after which idle connections are closed.
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

/// The minimum rate of a transfer: a number of bytes in its first period, then an average rate.
///
/// Unlike a stall, this also ends a transfer that is always slow.
package struct MinimumRate: Hashable, Sendable {
    package var firstBytes: Int
    package var firstPeriod: Duration
    package var bytesPerSecond: Int
    /// The maximum time that fast bytes earn: a fast start must not permit an endless slow rest.
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
