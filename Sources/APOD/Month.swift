/// A month of the archive, which has directories of its own in the tree.
package struct Month: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The first day of the archive in the month.
    package let first: Day

    package init(of day: Day) {
        first = day.advanced(by: 1 - day.day)
    }

    /// Parses `2026-11`.
    package init?(_ text: some StringProtocol) {
        guard let day = Day(iso: "\(text)-28") else { return nil }
        self.init(of: day)
    }

    /// The days of the archive in the month.
    package var days: ClosedRange<Day> {
        // No month has more than 31 days; the archive ends with one.
        let next = Month(of: first.advanced(by: 31))
        return first...(next == self ? .last : next.first.advanced(by: -1))
    }

    package static func < (month: Month, other: Month) -> Bool { month.first < other.first }

    /// `2026-11`.
    package var description: String {
        String(decoding: first.description.utf8.prefix(7), as: UTF8.self)
    }
}
