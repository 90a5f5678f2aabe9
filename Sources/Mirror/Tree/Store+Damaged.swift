package import APOD
package import Platform

/// Damaged files in `damaged/`, named by the SHA-256 of their contents if these can be read; none is
/// overwritten.
extension Store {
    /// Links the damaged file at `path` into `damaged/`, durably, before it is replaced.
    ///
    /// A file whose contents cannot be read is moved, as is anything that is not a file.
    ///
    /// - Throws: ``SystemError``; `path` is unchanged then.
    package func keepDamaged(_ path: String, of day: Day) throws(SystemError) {
        guard let status = try tree.root.status(path) else { return }
        guard status.kind == .file else { return try moveDamaged(path) }
        do {
            _ = try archive(path, of: day, in: Layout.damaged)
        } catch {
            guard error.isOfContents else { throw error }
            try moveDamaged(path)
        }
    }

    /// Moves the item at `path` into `damaged/`, durably.
    package func moveDamaged(_ path: String) throws(SystemError) {
        let (folderPath, name) = Layout.split(path)
        guard let folder = try tree.root.folder(folderPath) else { return }
        let damaged = try tree.root.makeDirectory(Layout.damaged)
        try folder.moveToFreeName(Array(name.utf8), in: damaged)
    }

    /// Moves an item at `path` into `damaged/`, unless it is a file, or a link that the mirror left for its successor.
    func makeRoom(for path: String, of day: Day) throws(SystemError) {
        guard let kind = try tree.root.status(path)?.kind, kind != .file else { return }
        if kind == .symbolicLink, isLinkToSuccessor(at: path) { return }
        try moveDamaged(path)
    }
}
