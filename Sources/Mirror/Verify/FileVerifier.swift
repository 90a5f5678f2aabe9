internal import APOD
internal import Glibc
internal import Platform

/// Compares single files with what is expected of them.
struct FileVerifier {
    let root: Directory
    /// Whether files are not read: only existence, size and time are compared.
    let isQuick: Bool
    /// Called with the number of bytes of each piece that was read; returns whether to continue.
    let didRead: (Int) -> Bool
    private let buffer = ReadBuffer()

    init(root: Directory, isQuick: Bool, didRead: @escaping (Int) -> Bool) {
        self.root = root
        self.isQuick = isQuick
        self.didRead = didRead
    }

    /// Compares the file at `path` with what is expected of it.
    ///
    /// - Parameters:
    ///   - path: Relative to the root.
    ///   - words: What is expected, for people.
    ///   - bytes: The size.
    ///   - sha256: The accepted hashes; the first one is for the message.
    ///   - day: The day of the modification time.
    /// - Returns: What is wrong; `nil` if it is as expected.
    /// - Throws: ``VerifyStopped``
    func problem(
        at path: String, _ words: String, bytes: Int?, sha256: [String], day: Day?
    ) throws(VerifyStopped) -> Finding.Problem? {
        do {
            guard let status = try root.status(path) else { return .absent(expected: words) }
            guard status.kind == .file else { return .wrongKind(status.kind) }
            if let bytes, status.size != bytes {
                return .wrongSize(expected: bytes, found: status.size)
            }
            if let expected = sha256.first, !isQuick {
                let found = try hash(path)
                guard let found else { throw VerifyStopped() }
                if !sha256.contains(found) { return .wrongHash(expected: expected, found: found) }
            }
            if let day, !Self.isOn(day, status.modified) {
                return .wrongTime(day: day, seconds: status.modified)
            }
            return nil
        } catch let error as SystemError {
            // An unreadable directory above it; a disk that returns errors.
            return error.isNotDirectory ? .absent(expected: words) : .unreadable(error)
        } catch {
            throw VerifyStopped()
        }
    }

    /// The SHA-256 of the file at `path`; `nil` if the verification was stopped.
    func hash(_ path: String) throws(SystemError) -> String? {
        try root.openFile(path, O_RDONLY).sha256ReadingOnce(
            into: buffer, path: "\(root.path)/\(path)", didRead)
    }

    /// Whether a modification time is on `day` in UTC.
    static func isOn(_ day: Day, _ seconds: Int) -> Bool {
        day.number * 86_400..<(day.number + 1) * 86_400 ~= seconds
    }
}
