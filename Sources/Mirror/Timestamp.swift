package import FoundationEssentials

extension Date {
    /// The moment as the files of the tree write it: `2026-11-20T04:10:00Z`.
    package var timestamp: String { formatted(.iso8601) }

    /// Reads what ``timestamp`` writes.
    package init?(timestamp: String) {
        guard let date = try? Date(timestamp, strategy: .iso8601) else { return nil }
        self = date
    }
}
