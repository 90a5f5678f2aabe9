/// A number of bytes, formatted for people: `3.2 MB`.
package struct ByteCount: Hashable, Sendable, CustomStringConvertible {
    package let bytes: Int

    package init(_ bytes: Int) {
        self.bytes = bytes
    }

    package var description: String {
        var value = Double(bytes)
        guard value >= 1000 else { return "\(bytes) B" }
        for unit in ["kB", "MB", "GB"] {
            value /= 1000
            // From 999.5 on, a number would be rounded to 1000. It gets the next unit instead.
            if value < 999.5 { return "\(Self.digits(value)) \(unit)" }
        }
        return "\(Self.digits(value / 1000)) TB"
    }

    /// Three digits at most: `3.2`, `99.9`, `100`.
    private static func digits(_ value: Double) -> String {
        guard value < 99.95 else { return String(Int(value.rounded())) }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

/// A number with its noun: `1 day`, `2 days`; without a `plural`, it is the singular and an s.
package func counted(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(number) \(number == 1 ? singular : plural ?? "\(singular)s")"
}

extension [String] {
    /// The first `limit` lines; if there are more, `lineForRest` makes a last line of their number, such as `3 more days`.
    package func limited(to limit: Int, _ lineForRest: (Int) -> String) -> [String] {
        count > limit ? prefix(limit) + [lineForRest(count - limit)] : self
    }
}
