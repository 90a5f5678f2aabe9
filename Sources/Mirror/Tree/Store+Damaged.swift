package import APOD
package import Platform

/// Damaged files in `damaged/`, none of which is overwritten: named by their day and the SHA-256 of their contents, so that
/// `--keep` removes them with the day.
///
/// A file that cannot be read or would take minutes, and anything that is not a file, keeps its name there, and
/// `--keep` leaves it.
extension Store {
    /// Moves the item at `path` into `damaged/`, durably, if there is one; `day` is `nil` for one that is of no day.
    package func moveDamaged(_ path: String, of day: Day?) throws(SystemError) {
        let (folderPath, name) = Layout.split(path)
        guard let folder = try tree.root.folder(folderPath), try folder.status(name) != nil
        else { return }
        let damaged = try tree.root.makeDirectory(Layout.damaged)
        guard let day, let sha256 = try hashOfFile(at: path) else {
            return try folder.moveToFreeName(Array(name.utf8), in: damaged)
        }
        try folder.moveToFreeName(Array(name.utf8), in: damaged) { _, number in
            let label = number == 1 ? "" : "\(number) "
            return Array(FileName.previous(name, day: day, sha256: sha256, label: label).utf8)
        }
    }

    /// Moves the item at `path`, which is none of the mirror's, into `aside/`, durably.
    func moveAside(_ path: String) throws(SystemError) {
        let (folderPath, name) = Layout.split(path)
        guard let folder = try tree.root.folder(folderPath) else { return }
        let aside = try tree.root.makeDirectory(Layout.aside)
        try folder.moveToFreeName(Array(name.utf8), in: aside)
    }

    /// The SHA-256 of the file at `path`; `nil` if that is no file, cannot be read, or takes minutes to be hashed.
    private func hashOfFile(at path: String) throws(SystemError) -> String? {
        guard let status = try ifReadable(tree.root.status(path)), status.kind == .file,
            status.size <= Layout.largestFile
        else { return nil }
        return try ifReadable(
            tree.root.openToRead(path).sha256(path: path, limit: Layout.largestFile))
    }

    /// Moves an item at `path` into `damaged/`, unless it is a file.
    func makeRoom(for path: String, of day: Day) throws(SystemError) {
        guard let kind = try tree.root.status(path)?.kind, kind != .file else { return }
        try moveDamaged(path, of: day)
    }
}
