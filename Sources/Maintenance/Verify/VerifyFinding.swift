package import APOD
internal import FoundationEssentials
internal import Mirror
package import Platform

/// A difference between the tree and what its records promise.
package struct VerifyFinding: Hashable, Sendable {
    package enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
        /// A file whose contents are not as recorded.
        case damaged
        /// A recorded file that does not exist.
        case missing
        /// The right contents under another name, or with a modification time of another day.
        case misplaced
        /// An item that belongs to nothing: no damage, and never changed.
        case unknown
    }

    package enum Problem: Hashable, Sendable {
        /// The record of a day is not JSON, or not a record.
        case unreadableRecord(String)
        /// The record differs from its schema in these places.
        case invalidRecord([String])
        case wrongKind(FileStatus.FileType)
        case wrongSize(expected: Int, found: Int)
        case wrongHash(expected: String, found: String)
        /// The file exists and cannot be read.
        case unreadable(SystemError)
        /// A file without a recorded hash, such as a thumbnail, or one that is too large to be read.
        case wrongContents(expected: String, found: String)
        case absent(expected: String)
        /// A file made from the tree that was cut, or a link that leads nowhere.
        case damagedView(found: String)
        /// The file is at this path.
        case elsewhere(path: String)
        case wrongTime(day: Day, seconds: Int)
        /// An unknown item of this type.
        case unclaimed(FileStatus.FileType)
    }

    /// Relative to the root of the tree; bytes that are no UTF-8 are replaced.
    package let path: String
    /// `nil` if the path belongs to no day.
    package let day: Day?
    package let problem: Problem

    package init(_ path: String, of day: Day?, _ problem: Problem) {
        self.path = path
        self.day = day
        self.problem = problem
    }

    /// The unknown item `name` in the directory at `folder`, `"."` for the root.
    package init(unknown name: [UInt8], in folder: String, of root: Directory) {
        let path = folder == "." ? name : Array("\(folder)/".utf8) + name
        let kind = (try? root.status(path))??.kind ?? .other
        self.init(String(decoding: path, as: UTF8.self), of: nil, .unclaimed(kind))
    }

    package var kind: Kind {
        switch problem {
        case .unreadableRecord, .invalidRecord, .wrongKind, .wrongSize, .wrongHash, .unreadable,
            .wrongContents, .damagedView:
            .damaged
        case .absent: .missing
        case .elsewhere, .wrongTime: .misplaced
        case .unclaimed: .unknown
        }
    }

    /// Whether the mirror lost something that it promised.
    package var isDamage: Bool { kind != .unknown }
}

/// The sentences for people.
extension VerifyFinding: CustomStringConvertible {
    package var description: String {
        guard let expected else { return "\(path): \(found)" }
        return "\(path): \(found) instead of \(expected)"
    }

    /// `nil` if nothing is expected.
    package var expected: String? { words.expected }

    package var found: String { words.found }

    private var words: (expected: String?, found: String) {
        let record = "a record that follows the schema of records"
        return switch problem {
        case .unreadableRecord(let reason): (record, reason)
        case .invalidRecord(let places): (record, "invalid: \(places.joined(separator: ", "))")
        case .wrongKind(let kind): ("a file", kind.words)
        case .wrongSize(let bytes, 0): (counted(bytes, "byte"), "an empty file")
        case .wrongSize(let bytes, let found): (counted(bytes, "byte"), counted(found, "byte"))
        case .wrongHash(let sha256, let found): ("SHA-256 \(sha256)", "SHA-256 \(found)")
        case .unreadable(let error): ("readable contents", "\(error.call): \(error.reason)")
        case .wrongContents(let expected, let found): (expected, found)
        case .absent(let expected): (expected, "nothing")
        case .damagedView(let found): ("a file that the mirror makes from the newest days", found)
        case .elsewhere(let path): ("this name", path)
        case .wrongTime(let day, let time):
            ("a modification time on \(day)", Date(timeIntervalSince1970: Double(time)).timestamp)
        case .unclaimed(let kind): (nil, kind.words)
        }
    }
}
