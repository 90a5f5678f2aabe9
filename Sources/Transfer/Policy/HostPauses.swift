internal import FoundationEssentials
internal import Platform
internal import Synchronization

/// The hosts that asked for a pause with a `Retry-After`, and the times until which they get no request.
///
/// All requests share this object. A sync saves ``endsOfPauses``, and the next process continues with ``restore(_:)``.
package final class HostPauses: Sendable {
    /// The longest pause in seconds.
    private static let longestPause = WaitLimit.retryAfter / .seconds(1)

    /// The ends of the pauses by host, in seconds since 1970; ends in the past are dropped when the next pause begins.
    private let ends = Mutex<[String: Double]>([:])
    /// Returns the seconds since 1970.
    private let now: @Sendable () -> Double

    package init(now: @escaping @Sendable () -> Double = { Date().timeIntervalSince1970 }) {
        self.now = now
    }

    /// The ends of all pauses that are not over, by host, in seconds since 1970.
    package var endsOfPauses: [String: Double] {
        ends.withLock { $0.filter { isAhead($0.value) } }
    }

    /// Adds the ends of pauses that were saved; of two ends for a host, the later one counts.
    package func restore(_ saved: [String: Double]) {
        let ahead = saved.filter { isAhead($0.value) }
        ends.withLock { $0.merge(ahead, uniquingKeysWith: max) }
    }

    /// When the pause of `host` ends, in seconds since 1970; `nil` if the host may be requested now.
    func endOfPause(of host: String) -> Double? {
        ends.withLock { $0[host] }.flatMap { isAhead($0) ? $0 : nil }
    }

    /// Pauses requests to `host` for so many seconds, unless it is paused for longer; returns the end of the pause.
    func pause(_ host: String, for seconds: Double) -> Double {
        let newEnd = now() + seconds
        return ends.withLock { ends in
            ends = ends.filter { isAhead($0.value) }
            let end = max(ends[host] ?? 0, newEnd)
            ends[host] = end
            return end
        }
    }

    /// Reads a `Retry-After`, such as `120` or `Fri, 20 Nov 2026 04:05:00 GMT`, as seconds from now on: 0 to the longest pause.
    func seconds(ofRetryAfter text: String) -> Double? {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy("0123456789".utf8.contains)
        let seconds = isNumber ? Double(text) : httpDate(text).map { $0 - now() }
        return seconds.map { min(max($0, 0), Self.longestPause) }
    }

    /// Whether `end` is the end of a pause that is not over.
    ///
    /// A time that is farther away than the longest pause is no such end: the clock was set back after it was computed.
    private func isAhead(_ end: Double) -> Bool {
        let now = now()
        return end > now && end <= now + Self.longestPause
    }
}
