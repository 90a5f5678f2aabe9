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
}
