package import APOD
package import Mirror

/// A file of the mirror that is not what the record of its day promises: one line of the command `verify`.
package struct VerifyFinding: Hashable, Sendable, CustomStringConvertible {
    /// The raw values are in `verify.json` and in the output of `verify --json`.
    package enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
        /// There is another item than the recorded file: of another type, with other contents, or unreadable.
        case damaged
        /// There is nothing.
        case missing
    }

    /// What the file is, which decides how ``Repairer`` repairs it.
    package enum Item: Hashable, Sendable {
        /// The record of a day.
        case record
        /// A picture or video, as the record describes it.
        case media(RecordedFile)
        case thumbnail
        /// A favorite's own copy of a picture.
        case pin
        /// A directory that cannot be read.
        case folder
    }

    /// Relative to the root of the tree.
    package let path: String
    /// `nil` if the path belongs to no day.
    package let day: Day?
    package let item: Item
    package let kind: Kind
    /// What should be at the path, and what is there, for people.
    package let expected: String
    package let found: String

    package var description: String { "\(path): \(found) instead of \(expected)" }
}

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
