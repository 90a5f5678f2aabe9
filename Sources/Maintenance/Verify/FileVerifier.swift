internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Compares one file of the tree with what a record says of it: its type, size, contents and time.
struct FileVerifier: Sendable {
    let root: Directory
    /// Whether the contents of files are not compared.
    let isQuick: Bool
    /// Called with the number of bytes of each piece that was read; returns whether to continue.
    let didRead: @Sendable (Int) -> Bool

    /// Returns the first problem of the file at `path`; `nil` if it is as expected.
    ///
    /// `expected` says what the file is, as in “nothing instead of the picture of the day”. Its size, its hash, one of
    /// several accepted ones, and the day of its modification time are compared if they are given; without a hash, the
    /// file is not read. A file whose size is not given has at most ``Layout/largestFile`` bytes.
    func problem(
        at path: String, expecting expected: String, bytes: Int? = nil, sha256: [String] = [],
        day: Day? = nil
    ) throws(VerifyStopped) -> VerifyFinding.Problem? {
        let problem: VerifyFinding.Problem?
        let found: String?
        do throws(SystemError) {
            if isQuick || sha256.isEmpty {
                guard let status = try root.status(path) else { return .absent(expected: expected) }
                return Self.problem(of: status, bytes: bytes, day: day)
            }
            let file = try root.openFile(path, O_RDONLY)
            let status = try file.status(path: path)
            problem = Self.problem(of: status, bytes: bytes, day: day)
            // A file of a wrong size is not read: it may be of any size.
            if case .wrongSize = problem { return problem }
            if case .wrongContents = problem { return problem }
            found = try file.sha256ReadingOnce(
                path: "\(root.path)/\(path)", limit: bytes ?? Layout.largestFile, didRead)
        } catch {
            return self.problem(at: path, expecting: expected, after: error)
        }
        guard let found else { throw VerifyStopped() }
        return sha256.contains(found) ? problem : .wrongHash(expected: sha256[0], found: found)
    }

    private static func problem(
        of status: FileStatus, bytes: Int?, day: Day?
    ) -> VerifyFinding.Problem? {
        guard status.kind == .file else { return .wrongType(status.kind) }
        if let bytes, status.size != bytes {
            return .wrongSize(expected: bytes, found: status.size)
        }
        if bytes == nil, status.size > Layout.largestFile {
            let limit = ByteSize.words(of: Layout.largestFile)
            return .wrongContents(
                expected: "at most \(limit)", found: counted(status.size, "byte"))
        }
        // The mirror sets the time of a file to noon of its day in UTC; any time on the day is accepted.
        if let day, !(day.noon - 43_200..<day.noon + 43_200 ~= status.modified) {
            return .wrongTime(day: day, seconds: status.modified)
        }
        return nil
    }

    /// Returns what `error`, of opening or reading the file at `path`, means.
    func problem(
        at path: String, expecting expected: String, after error: SystemError
    ) -> VerifyFinding.Problem {
        let isAbsent = error.code == ENOENT || error.isNotDirectory
        // The error of a link, a directory or a fifo does not say which of them it is.
        if error.isNotRegularFile, let status = try? root.status(path), status.kind != .file {
            return .wrongType(status.kind)
        }
        return isAbsent ? .absent(expected: expected) : .unreadable(error)
    }
}
