internal import CCurl
internal import Platform

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
