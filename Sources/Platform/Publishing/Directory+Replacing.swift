/// How a finished file takes the place of one that people see.
///
/// It comes last from a hidden name in the same folder. A file manager takes that for a change of the item; Thunar 4.18
/// drops from an open window an item whose name a file of another folder takes, until the folder is read again.
extension Directory {
    /// The hidden path at which what is about to replace the item at `path` waits, in the same folder.
    ///
    /// It is the same at each attempt: what a killed process left there is taken by the next publication at `path`, which
    /// is due, as the item is still the earlier one. Its length does not depend on that of the name, which may be the
    /// longest of the file system.
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
        // With two names of one file, rename(2) does nothing.
        guard let replaced = try other.status(newName),
            try status(name)?.identity != replaced.identity
        else { return try rename(name, to: other, as: newName) }
        try replace(newName, in: other, by: name)
    }

    /// Replaces the file `newName` in `other` by another one, `name`.
    ///
    /// Both exist; after an error they are as before.
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
