internal import CCurl

/// How long a server wants to be left alone: the value of a `Retry-After`.
struct RetryAfter: Hashable, Sendable {
    /// No server is believed beyond that: six hours.
    static let longest = 21_600.0

    /// From now on, never negative, at most ``longest``.
    let seconds: Double

    init(seconds: Double) {
        self.seconds = min(max(seconds, 0), Self.longest)
    }

    /// Reads seconds or a date in any of the three forms of RFC 9110, 5.6.7.
    ///
    /// - Returns: `nil` for what is neither.
    init?(_ text: String, now: Double) {
        if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }) {
            self.init(seconds: Double(text) ?? Self.longest)
        } else if text.first?.isLetter == true, text.contains(":") {
            // curl_getdate(3) reads much more than dates of HTTP: hence the conditions.
            let date = unsafe curl_getdate(text, nil)
            guard date != -1 else { return nil }
            self.init(seconds: Double(date) - now)
        } else {
            return nil
        }
    }
}
