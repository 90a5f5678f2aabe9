package import APOD
package import Mirror

/// A file of the mirror that is not what the record of its day promises, or cannot be read: one line of the command `verify`.
package struct VerifyFinding: Hashable, Sendable, CustomStringConvertible {
    /// The raw values are in `verify.json` and in the output of `verify --json`.
    package enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
        /// There is another item than the recorded file: of another type or size, or with other contents, all of which were
        /// read.
        case damaged
        /// There is nothing.
        case missing
        /// Nothing is known of the file: the disk failed, or permission is missing. The next verification reads it again.
        case unreadable
    }

    /// What the file is, which decides how ``Repairer`` repairs it.
    package enum Item: Hashable, Sendable {
        /// The record of a day.
        case record
        /// A picture or video, as the record describes it.
        case media(RecordedFile)
        /// The HTML page of a day.
        case page
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
