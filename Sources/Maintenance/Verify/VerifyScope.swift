package import APOD

/// Which part of the tree is verified.
package enum VerifyScope: Hashable, Sendable {
    /// All days, and the directories that cannot be read.
    case all
    case days(Set<Day>)

    /// Whether the scope includes `day`; for `nil`, what belongs to no day.
    package func contains(_ day: Day?) -> Bool {
        guard let day else { return self == .all }
        return switch self {
        case .all: true
        case .days(let days): days.contains(day)
        }
    }
}
