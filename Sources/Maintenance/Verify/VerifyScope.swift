package import APOD
internal import Mirror

/// Which part of the tree is verified.
package enum VerifyScope: Hashable, Sendable {
    /// All days, and everything that belongs to no day.
    case all
    case days(Set<Day>)
    case range(ClosedRange<Day>)

    /// Whether the scope includes `day`; for `nil`, what belongs to no day.
    package func contains(_ day: Day?) -> Bool {
        guard let day else { return self == .all }
        return switch self {
        case .all: true
        case .days(let days): days.contains(day)
        case .range(let range): range.contains(day)
        }
    }

    func mayContain(_ month: Month) -> Bool {
        switch self {
        case .all: true
        case .days(let days): month.days.contains(where: days.contains)
        case .range(let range): range.overlaps(month.days)
        }
    }
}
