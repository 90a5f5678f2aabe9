internal import Glibc

/// Reads and creates links by their names in a directory; no method follows a symbolic link in a path.
extension Directory {
    // MARK: Reading symbolic links

    /// The text of the symbolic link `name`; `nil` if it is absent, is not a link, or is not UTF-8.
    ///
    /// Unlike ``target(of:)``, it throws if the link cannot be read, because nothing is known about its target.
    package func readTarget(of name: String) throws(SystemError) -> String? {
        do throws(SystemError) {
            return String(validating: try readLink(name), as: UTF8.self)
        } catch {
            guard error.code == EINVAL || error.cause == .absent else { throw error }
            return nil
        }
    }

    /// The text of the symbolic link `name`, for callers to whom it makes no difference that a link cannot be read.
    ///
    /// - Returns: `nil` if it is not a link, cannot be read, or is not UTF-8.
    package func target(of name: String) -> String? {
        targetBytes(of: name).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The text of the symbolic link `name` as ``target(of:)`` returns it, but with any bytes.
    package func targetBytes(of name: some PathBytes) -> [UInt8]? { try? readLink(name) }

    /// The text of the symbolic link `name`.
    ///
    /// - Throws: ``SystemError``: `EINVAL` if it is not a link.
    func readLink(_ name: some PathBytes) throws(SystemError) -> [UInt8] {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = try unsafe systemCall("readlink", name) {
            unsafe readlinkat($0, $1, &buffer, buffer.count)
        }
        return buffer[..<count].map { UInt8(bitPattern: $0) }
    }

    // MARK: Creating

    /// Creates the symbolic link `name`; fails with `EEXIST` if it exists.
    package func symlink(_ name: some PathBytes, to target: some PathBytes) throws(SystemError) {
        try unsafe systemCall("symlink", name) { directory, name in
            unsafe target.pathBytes.withCString { unsafe symlinkat($0, directory, name) }
        }
    }

    /// Creates a hard link to the file `name`; fails with `EEXIST` if `newName` exists.
    package func link(
        _ name: some PathBytes, to other: Directory, as newName: some PathBytes
    ) throws(SystemError) {
        try unsafe systemCall("link", name, to: other, as: newName) {
            unsafe linkat($0, $1, $2, $3, 0)
        }
    }
}
