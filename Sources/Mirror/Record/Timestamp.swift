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
        guard let date = try? Date(timestamp, strategy: .iso8601) else { return nil }
        self = date
    }

    /// The whole days since 1970-01-01 in UTC, as in ``Day/number``.
    package var dayNumber: Int { Int((timeIntervalSince1970 / 86_400).rounded(.down)) }
}

extension Day {
    /// The date of a moment in UTC; `nil` before ``first`` and after ``last``.
    package init?(utcDateOf moment: Date) { self.init(number: moment.dayNumber) }
}
