/// The limits of one request: how long it may take, how slow it may be, and how much it may receive besides the body.
package struct RequestLimits: Hashable, Sendable {
    package static let standard = RequestLimits()

    /// The time to resolve the name, connect, and negotiate TLS.
    package var connectTimeout = Duration.seconds(15)
    /// The rate below which a transfer is slow, in bytes a second.
    package var minimumRate = 10 << 10
    /// A transfer that is slow for this time is ended; whole seconds.
    package var maximumSlowTime = Duration.seconds(60)
    /// The maximum time of one request for a list of entries, including the wait for a connection.
    package var listTimeout = Duration.seconds(120)
    /// The maximum time of one request for a file, including the wait for a connection.
    package var fileTimeout = Duration.seconds(86_400)
    package var maximumRedirects = 5
    /// The maximum size of the headers of one response in bytes.
    package var maximumHeaderBytes = 256 << 10
    /// The time after which idle connections are closed.
    package var idleTimeout = Duration.seconds(2)

    /// The limits of each of `width` transfers at the same time, which together have the rate `bandwidth`, if it is limited.
    ///
    /// They share the connection to the internet, and a transfer that waits for the others must not count as slow.
    func shared(by width: Int, within bandwidth: Bandwidth?) -> RequestLimits {
        var limits = self
        limits.minimumRate = max(minimumRate / width, 1)
        guard let bandwidth else { return limits }
        let quarterOfShare = max(bandwidth.bytesPerSecond / (4 * width), 1)
        limits.minimumRate = min(limits.minimumRate, quarterOfShare)
        // A new connection waits until the limit allows what libcurl may have in the buffers of the others.
        let bytesInBuffers = width * (64 << 10)
        limits.connectTimeout += Duration.seconds(bytesInBuffers) / bandwidth.bytesPerSecond
        // At a low limit, a list may take long; if it stalls, the minimum rate ends it.
        limits.listTimeout = fileTimeout
        return limits
    }
}
