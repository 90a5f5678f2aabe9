internal import CCurl
internal import FoundationEssentials
internal import Platform
internal import Synchronization

/// The hosts that sent a `Retry-After`, and the times until which they get no request.
///
/// Shared by all requests; the owner can save and restore ``notBefore``.
package final class HostPauses: Sendable {
    private let entries = Mutex<[String: Double]>([:])
    /// Seconds since 1970.
    private let now: @Sendable () -> Double

    package init(
        notBefore: [String: Double] = [:],
        now: @escaping @Sendable () -> Double = { Date().timeIntervalSince1970 }
    ) {
        self.now = now
        self.notBefore = notBefore
    }

    /// Future times by host, in seconds since 1970.
    package var notBefore: [String: Double] {
        get { entries.withLock { $0.filter { isAhead($0.value) } } }
        set { entries.withLock { $0 = newValue } }
    }

    /// The time until which `host` gets no request; `nil` if it may be requested.
    func closed(_ host: String) -> Double? {
        entries.withLock { $0[host] }.flatMap { isAhead($0) ? $0 : nil }
    }

    /// Closes `host` for `pause`, or until an earlier call says if that is later; returns that time.
    func close(_ host: String, for pause: RetryAfter) -> Double {
        let until = now() + pause.seconds
        return entries.withLock { entries in
            entries = entries.filter { isAhead($0.value) }
            let latest = max(entries[host] ?? 0, until)
            entries[host] = latest
            return latest
        }
    }

    /// Parses `text`, the value of a `Retry-After`; closes no host.
    func retryAfter(_ text: String) -> RetryAfter? {
        RetryAfter(text, now: now())
    }

    /// Whether `time` is in the future; after more than the longest pause the clock was set back.
    private func isAhead(_ time: Double) -> Bool {
        let now = now()
        return time > now && time <= now + RetryAfter.longest
    }
}

/// The value of a `Retry-After`: how long to send no requests.
struct RetryAfter: Hashable, Sendable {
    static let longest = RetryDelay.longestRetryAfter / .seconds(1)

    /// From now on, never negative, at most ``longest``.
    let seconds: Double

    init(seconds: Double) {
        self.seconds = min(max(seconds, 0), Self.longest)
    }

    /// Reads seconds or a date in any of the three forms of RFC 9110, 5.6.7.
    init?(_ text: String, now: Double) {
        if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }) {
            self.init(seconds: Double(text) ?? Self.longest)
        } else {
            guard let date = httpDate(text) else { return nil }
            self.init(seconds: date - now)
        }
    }
}

/// Reads a date in any of the three forms of RFC 9110, 5.6.7, as seconds since 1970.
func httpDate(_ text: String) -> Double? {
    // curl_getdate(3) reads much more than dates of HTTP: hence the conditions.
    guard text.first?.isLetter == true, text.contains(":") else { return nil }
    let date = unsafe curl_getdate(text, nil)
    return date == -1 ? nil : Double(date)
}
