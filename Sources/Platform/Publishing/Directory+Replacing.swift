/// Replaces a file in a folder that people see, so that an open window of a file manager shows the new file.
///
/// The new file is first moved into the folder under a hidden name, and then renamed to its final name. File managers take that
/// for a change of the item. If the file came from another folder in one step, Thunar 4.18 would drop the item from its window.
extension Directory {
    /// The hidden path in the same folder at which a new file waits to replace the item at `path`.
    ///
    /// Its name is like `.apod-mirror 0123456789abcdef`. The digits are a hash of the name in `path`, for two reasons: the next
    /// attempt replaces what a killed process left there, and the length is the same for any name, however long.
    package static func waitingPath(for path: some PathBytes) -> [UInt8] {
        let path = path.pathBytes
        let slash = path.lastIndex(of: UInt8(ascii: "/"))
        let startOfName = slash.map { $0 + 1 } ?? path.startIndex
        var digest = StoredDigest()
        let name = path[startOfName...]
        digest.add(name.span)
        return Array(path[..<startOfName])
            + AtomicFile.uniqueName(".apod-mirror", number: digest.value).utf8
    }

    /// Renames `name` to `newName` in `other`, a folder that people see; an existing file is replaced atomically.
    package func renameVisibly(
        _ name: some PathBytes, to other: Directory, as newName: some PathBytes
    ) throws(SystemError) {
        // The hidden name is needed only if another file is replaced. If both are names of one file, rename(2) does nothing.
        guard let replaced = try other.status(newName),
            try status(name)?.identity != replaced.identity
        else { return try rename(name, to: other, as: newName) }
        try replace(newName, in: other, by: name)
    }

    /// Replaces the existing file `newName` in `other` by the file `name`.
    ///
    /// After an error, both are as they were; only if the disk fails again, the new file stays at its waiting path.
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
