/// The limits of one request.
///
/// A large file may take any time at the minimum rate.
package struct Limits: Hashable, Sendable {
    package static let standard = Limits()

    /// The time to resolve the name, connect, and negotiate TLS.
    package var connect = Duration.seconds(15)
    /// A transfer that is slower than ``stallSpeed`` for this time is ended; whole seconds.
    package var stall = Duration.seconds(30)
    /// In bytes a second.
    package var stallSpeed = 100
    /// Of lists and files, including redirects, without the time to connect.
    package var minimumRate = MinimumRate()
    /// The time of one attempt at a list, including redirects, without the time to connect.
    package var list = Duration.seconds(120)
    /// The maximum number of redirects of a request.
    package var redirects = 5
    /// The maximum size of the headers of one response in bytes.
    package var headerBytes = 256 << 10
    /// The processor time of one call into libcurl, which takes milliseconds unless a server keeps it busy.
    package var call = Duration.seconds(2)
    /// The time after which idle connections are closed.
    package var idleTimeout = Duration.seconds(2)
}

/// The minimum rate of a transfer: a number of bytes in its first period, then an average rate.
///
/// Unlike a stall, this also ends a transfer that is always slow.
package struct MinimumRate: Hashable, Sendable {
    package var firstBytes = 64 << 10
    package var firstPeriod = Duration.seconds(60)
    package var bytesPerSecond = 10 << 10
    /// The time after which a transfer below the rate counts as slow: others do not wait for it.
    package var grace = Duration.seconds(5)
    /// The maximum time that fast bytes earn: a fast start must not permit an endless slow rest.
    package var longestCredit = Duration.seconds(300)
}
