package import APOD
internal import FoundationEssentials
internal import Mirror
package import Platform

/// A difference between the tree and what its records promise: one line of the command `verify`.
package struct VerifyFinding: Hashable, Sendable {
    /// The raw values are in `verify.json` and in the output of `verify --json`.
    package enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
        /// An item that exists, and is not the file that it must be: wrong type or contents, unreadable, a broken link.
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
        /// A directory, a link or the like in place of a file.
        case wrongType(FileStatus.FileType)
        case wrongSize(expected: Int, found: Int)
        case wrongHash(expected: String, found: String)
        /// The file exists and cannot be read.
        case unreadable(SystemError)
        /// Wrong contents of a file whose hash is not recorded, such as a thumbnail, or a file that is too large to be
        /// read; the texts are for people.
        case wrongContents(expected: String, found: String)
        case absent(expected: String)
        /// A file or link made from the newest days, such as `latest.jpg`, that was cut or leads nowhere.
        case damagedView(found: String)
        /// The file is at this path instead of that of the finding.
        case elsewhere(path: String)
        /// The modification time, in seconds since 1970, is not on `day`, the one of the file.
        case wrongTime(day: Day, seconds: Int)
        /// An item of this type that belongs to nothing.
        case unclaimed(FileStatus.FileType)
        /// An item that belongs to nothing, and whose type cannot be read.
        case unexamined(SystemError)

        /// The problem of the item at `path` that is not the mirror's; `nil` if it was removed since its name was read.
        ///
        /// One that cannot be examined is no damage either: a repair must not move what may be a user's.
        init?(ofUnclaimed path: some PathBytes, in root: Directory) {
            do throws(SystemError) {
                guard let status = try root.status(path) else { return nil }
                self = .unclaimed(status.kind)
            } catch {
                self = .unexamined(error)
            }
        }
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

    /// The unknown item `name` in the directory at `folder`, `"."` for the root; `nil` if it was removed meanwhile.
    package init?(unknown name: [UInt8], in folder: String, of root: Directory) {
        let path = folder == "." ? name : Array("\(folder)/".utf8) + name
        guard let problem = Problem(ofUnclaimed: path, in: root) else { return nil }
        self.init(String(decoding: path, as: UTF8.self), of: nil, problem)
    }

    package var kind: Kind {
        switch problem {
        case .unreadableRecord, .invalidRecord, .wrongType, .wrongSize, .wrongHash, .unreadable,
            .wrongContents, .damagedView:
            .damaged
        case .absent: .missing
        case .elsewhere, .wrongTime: .misplaced
        case .unclaimed, .unexamined: .unknown
        }
    }

    /// Whether the mirror does not have what it promised: every kind but unknown items.
    package var isDamage: Bool { kind != .unknown }
}

/// The sentences for people.
extension VerifyFinding: CustomStringConvertible {
    package var description: String {
        guard let expected else { return "\(path): \(found)" }
        return "\(path): \(found) instead of \(expected)"
    }

    /// `nil` if nothing is expected.
    package var expected: String? { comparison.expected }

    package var found: String { comparison.found }

    private var comparison: (expected: String?, found: String) {
        let record = "a record that follows the schema of records"
        return switch problem {
        case .unreadableRecord(let reason): (record, reason)
        case .invalidRecord(let places): (record, "invalid: \(places.joined(separator: ", "))")
        case .wrongType(let kind): ("a file", kind.words)
        case .wrongSize(let expected, let found):
            (counted(expected, "byte"), found == 0 ? "an empty file" : counted(found, "byte"))
        case .wrongHash(let expected, let found): ("SHA-256 \(expected)", "SHA-256 \(found)")
        case .unreadable(let error): ("readable contents", Self.text(error))
        case .wrongContents(let expected, let found): (expected, found)
        case .absent(let expected): (expected, "nothing")
        case .damagedView(let found): ("a file that the mirror makes from the newest days", found)
        case .elsewhere(let path): ("this name", path)
        case .wrongTime(let day, let time):
            ("a modification time on \(day)", Date(timeIntervalSince1970: Double(time)).timestamp)
        case .unclaimed(let kind): (nil, kind.words)
        case .unexamined(let error): (nil, Self.text(error))
        }
    }

    /// The error without its path, which is that of the finding.
    private static func text(_ error: SystemError) -> String { "\(error.call): \(error.reason)" }
}
