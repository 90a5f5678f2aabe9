internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Compares single files with their records.
struct FileVerifier: Sendable {
    let root: Directory
    /// Whether files are not read: only existence, size and time are compared.
    let isQuick: Bool
    /// Called with the number of bytes of each piece that was read; returns whether to continue.
    let didRead: @Sendable (Int) -> Bool

    /// What is wrong with the file at `path`, relative to the root; `nil` if it is as expected.
    ///
    /// `words` name the file for people. `bytes`, `sha256` and `day`, for the modification time, are what is
    /// expected, if it is known; of several accepted hashes, the first one is for the message.
    func problem(
        at path: String, _ words: String, bytes: Int? = nil, sha256: [String] = [], day: Day? = nil
    ) throws(VerifyStopped) -> VerifyFinding.Problem? {
        do {
            guard !isQuick, let expected = sha256.first else {
                guard let status = try root.status(path) else { return .absent(expected: words) }
                return Self.problem(of: status, bytes: bytes, day: day)
            }
            let file = try root.openFile(path, O_RDONLY)
            let status = try file.status(path: path)
            let problem = Self.problem(of: status, bytes: bytes, day: day)
            // A file of a wrong size may be too large to be read.
            if case .wrongSize = problem { return problem }
            if case .wrongContents = problem { return problem }
            guard let found = try hash(of: file, path, limit: status.size) else {
                throw VerifyStopped()
            }
            return sha256.contains(found) ? problem : .wrongHash(expected: expected, found: found)
        } catch let error as SystemError {
            return problem(at: path, words, error)
        } catch {
            throw VerifyStopped()
        }
    }

    private static func problem(
        of status: FileStatus, bytes: Int?, day: Day?
    ) -> VerifyFinding.Problem? {
        guard status.kind == .file else { return .wrongKind(status.kind) }
        if let bytes {
            if status.size != bytes {
                return .wrongSize(expected: bytes, found: status.size)
            }
        } else if status.size > Layout.largestFile {
            return .wrongContents(expected: "at most 2 GiB", found: counted(status.size, "byte"))
        }
        // In UTC.
        if let day, !(day.number * 86_400..<(day.number + 1) * 86_400 ~= status.modified) {
            return .wrongTime(day: day, seconds: status.modified)
        }
        return nil
    }

    /// What an error of opening or reading the file at `path` means.
    func problem(at path: String, _ words: String, _ error: SystemError) -> VerifyFinding.Problem {
        if let problem = wrongKind(at: path, error) { return problem }
        let isAbsent = error.code == ENOENT || error.isNotDirectory
        return isAbsent ? .absent(expected: words) : .unreadable(error)
    }

    /// The problem of an item at `path` that is no regular file; `nil` if `error` has another reason.
    func wrongKind(at path: String, _ error: SystemError) -> VerifyFinding.Problem? {
        guard error.isNotRegularFile, let status = try? root.status(path), status.kind != .file
        else { return nil }
        return .wrongKind(status.kind)
    }

    /// The SHA-256 of the file at `path`; `nil` if the verification was stopped.
    func hash(_ path: String) throws(SystemError) -> String? {
        try hash(of: root.openFile(path, O_RDONLY), path, limit: Layout.largestFile)
    }

    private func hash(
        of file: borrowing FileDescriptor, _ path: String, limit: Int
    ) throws(SystemError) -> String? {
        try file.sha256ReadingOnce(
            path: "\(root.path)/\(path)", limit: limit, didRead)
    }
}
