package import APOD

/// The setting `--since`: how far back the mirror reaches.
package enum Since: Hashable, Sendable {
    /// So many days up to NASA's newest: with `30d` and 2026-11-30, from 2026-11-01 on.
    case days(Int)
    case day(Day)
    case all

    /// The days to mirror; `nil` if there are none yet.
    package func range(newest: Day) -> ClosedRange<Day>? {
        let first =
            switch self {
            case .days(let count): newest.advanced(by: 1 - count)
            case .day(let day): day
            case .all: Day.first
            }
        return first <= newest ? first...newest : nil
    }
}

extension Since: StateText {
    /// Reads `30d`, `2026-01-01` or `all`.
    package init?(_ text: String) {
        if text == "all" {
            self = .all
        } else if let day = Day(iso: text) {
            self = .day(day)
        } else if text.hasSuffix("d"), let count = Int(text.dropLast()), count > 0 {
            self = .days(count)
        } else {
            return nil
        }
    }

    package var description: String {
        switch self {
        case .days(let count): "\(count)d"
        case .day(let day): "\(day)"
        case .all: "all"
        }
    }
}
