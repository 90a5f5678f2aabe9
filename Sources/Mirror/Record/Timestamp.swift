package import APOD
package import FoundationEssentials
package import JSON

extension JSON {
    /// A date and time as in the files of the tree.
    package var date: Date? { string.flatMap(Date.init(timestamp:)) }

    /// A date such as `2026-11-20`.
    package var day: Day? { string.flatMap { Day(iso: $0) } }
}

extension Date {
    /// The date as in the files of the tree: `2026-11-20T04:10:00Z`.
    package var timestamp: String { formatted(.iso8601) }

    /// Parses ``timestamp``.
    package init?(timestamp: String) {
        if let seconds = Self.seconds(Array(timestamp.utf8)) {
            self.init(timeIntervalSince1970: Double(seconds))
        } else if let date = try? Date(timestamp, strategy: .iso8601) {
            self = date
        } else {
            return nil
        }
    }

    /// Seconds since 1970; `nil` for anything but the format of ``timestamp``.
    ///
    /// Foundation's parser would dominate the start-up time with ten thousand records.
    private static func seconds(_ text: [UInt8]) -> Int? {
        guard text.count == 20, let day = Day(iso: text[..<10]),
            text[10] == UInt8(ascii: "T"),
            text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
            text[19] == UInt8(ascii: "Z")
        else { return nil }
        var seconds = 0
        for (place, limit) in [(11, 24), (14, 60), (17, 60)] {
            let (tens, ones) = (text[place], text[place + 1])
            guard 0x30...0x39 ~= tens, 0x30...0x39 ~= ones else { return nil }
            let number = Int(tens - 0x30) * 10 + Int(ones - 0x30)
            guard number < limit else { return nil }
            seconds = seconds * 60 + number
        }
        return day.number * 86_400 + seconds
    }
}
