internal import FoundationEssentials
internal import Platform
internal import Synchronization

/// The hosts that sent a `Retry-After`, and the times until which they get no request.
///
/// Shared by all requests; the owner can save ``notBefore``, and restore it.
package final class HostPauses: Sendable {
    private static let longestPause = RetryDelay.longestRetryAfter / .seconds(1)

    /// At most the hosts of ``AddressPolicy`` that asked for a pause within six hours; the others are dropped with the next
    /// pause.
    private let entries = Mutex<[String: Double]>([:])
    /// Seconds since 1970.
    private let now: @Sendable () -> Double

    package init(now: @escaping @Sendable () -> Double = { Date().timeIntervalSince1970 }) {
        self.now = now
    }

    /// Future times by host, in seconds since 1970.
    package var notBefore: [String: Double] {
        entries.withLock { $0.filter { isAhead($0.value) } }
    }

    /// Adds saved times; of two for a host, the later counts.
    package func restore(_ saved: [String: Double]) {
        let ahead = saved.filter { isAhead($0.value) }
        entries.withLock { $0.merge(ahead, uniquingKeysWith: max) }
    }

    /// The time until which `host` gets no request; `nil` if it may be requested.
    func closed(_ host: String) -> Double? {
        entries.withLock { $0[host] }.flatMap { isAhead($0) ? $0 : nil }
    }

    /// Closes `host` for so many seconds, or until an earlier call says if that is later; returns that time.
    func close(_ host: String, for seconds: Double) -> Double {
        let until = now() + seconds
        return entries.withLock { entries in
            entries = entries.filter { isAhead($0.value) }
            let latest = max(entries[host] ?? 0, until)
            entries[host] = latest
            return latest
        }
    }

    /// Reads the value of a `Retry-After`, seconds or a date, as seconds from now on: never negative, six hours at most.
    func retryAfter(_ text: String) -> Double? {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
        let seconds = isNumber ? Double(text) : httpDate(text).map { $0 - now() }
        return seconds.map { min(max($0, 0), Self.longestPause) }
    }

    /// Whether `time` is in the future; after more than the longest pause the clock was set back.
    private func isAhead(_ time: Double) -> Bool {
        let now = now()
        return time > now && time <= now + Self.longestPause
    }
}
