package import APOD

/// Which part of the mirror a verification examines: all of it, or the days that a person or the daemon has chosen.
package enum VerifyScope: Hashable, Sendable {
    /// All days, and all directories that cannot be read.
    case all
    case days(Set<Day>)

    /// Whether the scope includes `day`; `nil` stands for a file or directory that belongs to no day.
    package func contains(_ day: Day?) -> Bool {
        switch self {
        case .all: true
        case .days(let days): if let day { days.contains(day) } else { false }
        }
    }
}
