/// Replaces a file in a folder that people see.
///
/// The new file first gets a hidden name in the same folder, and is renamed from there. File managers take that for a change of
/// the item. If a file of another folder takes the name, Thunar 4.18 drops the item from an open window.
extension Directory {
    /// The hidden path in the same folder from which the item at `path` is replaced: `.apod-mirror 0123456789abcdef`.
    ///
    /// It is the same for each attempt, so that the next publication at `path` replaces what a killed process left there. Its
    /// length does not depend on the name, which may have the maximum length of the file system.
    package static func waitingPath(for path: some PathBytes) -> [UInt8] {
        let path = path.pathBytes
        let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        var digest = StoredDigest()
        let name = path[start...]
        digest.add(name.span)
        return Array(path[..<start]) + AtomicFile.uniqueName(".apod-mirror", digest.value).utf8
    }

    /// Renames `name` to `newName` in `other`, a folder that people see; an existing file is replaced atomically.
    package func renameVisibly(
        _ name: some PathBytes, to other: Directory, as newName: some PathBytes
    ) throws(SystemError) {
        // If both are names of one file, rename(2) does nothing.
        guard let replaced = try other.status(newName),
            try status(name)?.identity != replaced.identity
        else { return try rename(name, to: other, as: newName) }
        try replace(newName, in: other, by: name)
    }

    /// Replaces the file `newName` in `other` by the file `name`; both exist, and stay as they are after an error.
    func replace(
        _ newName: some PathBytes, in other: Directory, by name: some PathBytes
    ) throws(SystemError) {
        let waiting = Self.waitingPath(for: newName)
        do throws(SystemError) {
            try rename(name, to: other, as: waiting)
        } catch {
            throw SystemError(error.call, path: other.pathOf(newName), code: error.code)
        }
        do {
            try other.rename(waiting, to: other, as: newName)
        } catch {
            try? other.rename(waiting, to: self, as: name)
            throw error
        }
    }
}
