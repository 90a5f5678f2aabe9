package import APOD
package import Mirror

/// A file of the mirror that differs from what the record of its day says, or cannot be read: a line of `verify`.
///
/// `pictures/2026/2026-11/2026-11-20 The Crab Nebula.jpg: 100 bytes instead of 483120 bytes`
package struct VerifyFinding: Hashable, Sendable, CustomStringConvertible {
    /// What is wrong; the raw values are written into `verify.json` and into the output of `verify --json`.
    package enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
        /// The item at the path has another type, another size, or other contents, which were read completely.
        case damaged
        case missing
        /// Nothing is known about the contents, because the disk failed or the permission is missing.
        case unreadable
    }

    /// What the file is, which decides how ``Repairer`` repairs it.
    package enum Item: Hashable, Sendable {
        case record
        /// A picture or video, with its path, size and hash in the record.
        case media(RecordedFile)
        /// The redirect page of a day.
        case page
        case thumbnail
        /// A favorite's own hard link to its picture.
        case pin
        /// A folder or an internal file that cannot be read.
        case folder
    }

    /// Relative to the root of the tree.
    package let path: String
    /// `nil` if the path belongs to no day.
    package let day: Day?
    package let item: Item
    package let kind: Kind
    /// What should be at the path, and what is there, for people: “483120 bytes” and “100 bytes”.
    package let expected: String
    package let found: String

    package var description: String { "\(path): \(found) instead of \(expected)" }
}
