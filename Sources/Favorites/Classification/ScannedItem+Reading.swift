internal import Glibc
internal import Mirror
internal import Platform

/// Reads a file in `favorites/`, whose mirror has the directory `root`, as it was when it was scanned.
///
/// All functions throw `ESTALE` if another file has the name now, and ``SystemError/growing`` if the file has grown since.
extension ScannedItem {
    /// Reads the first bytes of the file, at most `limit`.
    func readStart(in root: Directory, limit: Int) throws(SystemError) -> [UInt8] {
        try open(in: root).readStart(limit: min(size, limit), path: pathInMessages)
    }

    /// Returns the SHA-256 of the file: 64 lower-case hexadecimal digits.
    func sha256(in root: Directory) throws(SystemError) -> String {
        do throws(SystemError) {
            return try open(in: root).sha256(path: pathInMessages, limit: size)
        } catch  where error.code == EFBIG {
            // The file has exceeded its scanned size only after `open` has compared them.
            throw growingError
        }
    }

    private func open(in root: Directory) throws(SystemError) -> FileDescriptor {
        let file = try root.openToRead(name.path)
        let status = try file.status(path: pathInMessages)
        guard status.kind == .file, status.identity == identity else {
            throw SystemError("open", path: pathInMessages, code: ESTALE)
        }
        // mutation test: grown-copy (see Tests/Mutants)
        guard status.size <= size else { throw growingError }
        return file
    }

    private var growingError: SystemError {
        SystemError("read", path: pathInMessages, code: SystemError.growing)
    }

    private var pathInMessages: String { "\(Layout.favorites)/\(name.text)" }
}
