/// The limits of one request.
package struct Limits: Hashable, Sendable {
    package static let standard = Limits()

    /// The time to resolve the name, connect, and negotiate TLS.
    package var connect = Duration.seconds(15)
    /// In bytes a second; concurrent transfers share it, as they share the line.
    package var minimumRate = 10 << 10
    /// A transfer below the minimum rate for this time is ended; whole seconds.
    package var slow = Duration.seconds(60)
    /// The time of one request for a list, with its wait for a connection.
    package var list = Duration.seconds(120)
    /// The time of one request for a file, with its wait for a connection.
    package var file = Duration.seconds(86_400)
    /// The maximum number of redirects of a request.
    package var redirects = 5
    /// The maximum size of the headers of one response in bytes.
    package var headerBytes = 256 << 10
    /// The time after which idle connections are closed.
    package var idleTimeout = Duration.seconds(2)

    /// The limits of each of `width` concurrent transfers, which share the line and `bandwidth`: a transfer that only waits
    /// for the others must not count as slow.
    func shared(by width: Int, within bandwidth: Bandwidth?) -> Limits {
        var limits = self
        limits.minimumRate = max(minimumRate / width, 1)
        guard let bandwidth else { return limits }
        limits.minimumRate = min(limits.minimumRate, max(bandwidth.bytesPerSecond / (4 * width), 1))
        // A new connection waits until the limit allows what libcurl has in the buffers of the others.
        limits.connect += Duration.seconds(width << 16) / bandwidth.bytesPerSecond
        // A list may take long at a low limit; if it stalls, the minimum rate ends it.
        limits.list = file
        return limits
    }
}
