internal import FoundationEssentials
internal import Platform
internal import Synchronization

/// The hosts that sent a `Retry-After`, and the times until which they get no request.
///
/// All requests share this object, and a sync saves ``notBefore`` for the next process.
package final class HostPauses: Sendable {
    private static let longestPause = RetryDelay.longestRetryAfter / .seconds(1)

    /// By host, in seconds since 1970; times in the past are dropped with the next pause.
    private let pauses = Mutex<[String: Double]>([:])
    /// Seconds since 1970.
    private let now: @Sendable () -> Double

    package init(now: @escaping @Sendable () -> Double = { Date().timeIntervalSince1970 }) {
        self.now = now
    }

    /// Future times by host, in seconds since 1970.
    package var notBefore: [String: Double] {
        pauses.withLock { $0.filter { isAhead($0.value) } }
    }

    /// Adds saved times; the later of two times for a host counts.
    package func restore(_ saved: [String: Double]) {
        let ahead = saved.filter { isAhead($0.value) }
        pauses.withLock { $0.merge(ahead, uniquingKeysWith: max) }
    }

    /// The time until which `host` gets no request; `nil` if it may be requested.
    func closed(_ host: String) -> Double? {
        pauses.withLock { $0[host] }.flatMap { isAhead($0) ? $0 : nil }
    }

    /// Closes `host` for so many seconds, unless an earlier call closed it for longer; returns the time of the end.
    func close(_ host: String, for seconds: Double) -> Double {
        let until = now() + seconds
        return pauses.withLock { pauses in
            pauses = pauses.filter { isAhead($0.value) }
            let latest = max(pauses[host] ?? 0, until)
            pauses[host] = latest
            return latest
        }
    }

    /// Reads a `Retry-After`, such as `120` or `Fri, 20 Nov 2026 04:05:00 GMT`, as seconds from now on: 0 to six hours.
    func retryAfter(_ text: String) -> Double? {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
        let seconds = isNumber ? Double(text) : httpDate(text).map { $0 - now() }
        return seconds.map { min(max($0, 0), Self.longestPause) }
    }

    /// Whether `time` is in the future; after the longest pause it is wrong, because the clock was set back.
    private func isAhead(_ time: Double) -> Bool {
        let now = now()
        return time > now && time <= now + Self.longestPause
    }
}
