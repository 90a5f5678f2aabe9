package import APOD
package import FoundationEssentials
package import JSON

/// Dates and times as the files of the tree have them.
extension JSON {
    /// A date and time as in the files of the tree.
    package var date: Date? { string.flatMap(Date.init(timestamp:)) }

    /// A date such as `2026-11-20`.
    package var day: Day? { string.flatMap { Day(iso: $0) } }
}

extension Date {
    /// Made once, for the dates of a thousand records of favorites.
    private static let timestampFormat = ISO8601FormatStyle()

    /// The date as in the files of the tree: `2026-11-20T04:10:00Z`.
    package var timestamp: String { formatted(Self.timestampFormat) }

    /// Parses ``timestamp``.
    package init?(timestamp: String) {
        guard let date = try? Date(timestamp, strategy: Self.timestampFormat) else { return nil }
        self = date
    }

    static let secondsPerDay = 86_400.0

    /// The whole days since 1970-01-01 in UTC, as in ``Day/number``.
    package var dayNumber: Int { Int((timeIntervalSince1970 / Self.secondsPerDay).rounded(.down)) }
}

extension Day {
    /// The date of a moment in UTC; `nil` before ``first`` and after ``last``.
    package init?(utcDateOf moment: Date) { self.init(number: moment.dayNumber) }

    /// Midnight UTC at the beginning of the day.
    package var startInUTC: Date {
        Date(timeIntervalSince1970: Double(number) * Date.secondsPerDay)
    }
}
