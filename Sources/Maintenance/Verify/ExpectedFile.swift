internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// A file that should be in the tree, and the findings that say how the disk differs from that.
///
/// ``DayVerifier`` knows which files a day should have, and what they should contain.
struct ExpectedFile {
    let item: VerifyFinding.Item
    let path: String
    let day: Day
    /// What the file should be, for people: “a whole JPEG”.
    let expected: String
    /// Whether the file may be missing.
    var isOptional = false
    /// Where the file waits for its name while the daemon, or its next start, publishes the day; it is not missing then.
    var stagedPath: String?

    // MARK: Findings

    /// The finding that the file is missing; `nil` if it may be.
    private var missing: VerifyFinding? { isOptional ? nil : finding(.missing, found: "nothing") }

    func damaged(_ found: String, insteadOf part: String? = nil) -> VerifyFinding {
        finding(.damaged, found: found, insteadOf: part)
    }

    /// The finding that there is `found` instead of `part`, a part of what is expected; without a `part`, of ``expected``.
    private func finding(
        _ kind: VerifyFinding.Kind, found: String, insteadOf part: String? = nil
    ) -> VerifyFinding {
        VerifyFinding(
            path: path, day: day, item: item, kind: kind, expected: part ?? expected,
            found: found)
    }

    // MARK: Examining

    /// Opens the file in the mirror at `root`, and calls `verifyContents` if it is a regular file.
    ///
    /// - Returns: What is wrong with the file, such as that it is missing; `nil` if it is as it should be.
    func examine(
        in root: Directory,
        _ verifyContents: (borrowing FileDescriptor, FileStatus) throws -> VerifyFinding?
    ) throws -> VerifyFinding? {
        do {
            // Asked first, because a file that is not staged any more has its name.
            let isStaged = try stagedPath.map { try root.status($0) != nil } ?? false
            guard let status = try root.status(path) else { return isStaged ? nil : missing }
            guard status.kind == .file else {
                return damaged("\(status.kind)", insteadOf: "a file")
            }
            return try verifyContents(root.openFile(path, O_RDONLY), status)
        } catch let error as SystemError {
            guard !error.isCancelled else { throw error }
            let found = "\(error.call): \(error.reason)"
            switch error.cause {
            case .invalid where !error.isNotDirectory:
                return damaged(found, insteadOf: "readable contents")
            // A link or a file in place of a directory hides no file of the mirror, so that the file is missing.
            case .absent, .invalid: return missing
            case .denied, .transient:
                return finding(.unreadable, found: found, insteadOf: "readable contents")
            case .shortage: throw error
            }
        }
    }
}
