package import APOD
package import Platform

/// Moves what is in the way of the mirror's files into `damaged/` or `aside/`, in which nothing is overwritten.
///
/// An item in place of a recorded file goes to `damaged/`: a disk fault may have damaged the file, or a person has edited or
/// replaced it. Any other item goes to `aside/`. In `damaged/`, a file is named after its day and its hash, such as
/// `2026-11-20 SHA-256.jpg`. A very large file, and an item that is not a file, keep their names.
///
/// ``damagedFiles(of:)`` says which of these files `--keep` deletes.
extension Store {
    /// Moves the item at `path` into `damaged/`, durably; does nothing if there is no item.
    ///
    /// `day` is the day of the item; `nil` for an item of no day, which keeps its own name.
    ///
    /// - Throws: ``SystemError`` if the item cannot be read; it stays, because it is not known to be damaged.
    package func moveDamaged(_ path: String, of day: Day?) throws(SystemError) {
        let (folderPath, name) = Layout.split(path)
        guard let folder = try tree.root.folder(folderPath),
            let status = try folder.status(name)
        else { return }
        let damaged = try tree.root.makeDirectory(Layout.damaged)
        // To hash a file that is too large for a picture may take minutes.
        guard let day, status.kind == .file, status.size <= Layout.largestFile else {
            try folder.moveToFreeName(Array(name.utf8), in: damaged)
            return
        }
        let sha256 = try tree.root.openToRead(path).sha256(path: path, limit: Layout.largestFile)
        try folder.moveToFreeName(Array(name.utf8), in: damaged) { _, number in
            let label = number == 1 ? "" : "\(number) "
            return Array(FileName.archived(name, day: day, sha256: sha256, label: label).utf8)
        }
    }

    /// Moves a directory, link or device at `path` into `damaged/`, because a file could not replace it.
    func moveNonFile(at path: String, of day: Day) throws(SystemError) {
        guard let kind = try tree.root.status(path)?.kind, kind != .file else { return }
        try moveDamaged(path, of: day)
        addMovedItem(MovedItem(path, because: "it was not a file", to: Layout.damaged))
    }

    /// Moves an item at `path` that is not the mirror's, or is of no use to it, into `aside/`, durably.
    func moveForeignItem(
        at path: String, because reason: String = MovedItem.foreignReason
    ) throws(SystemError) {
        guard let newPath = try moveToAside(path) else { return }
        addMovedItem(MovedItem(path, because: reason, to: newPath))
    }

    private func addMovedItem(_ item: MovedItem) { tree.movedItems.withLock { $0.append(item) } }

    /// Moves a foreign item at `path` into `aside/`, durably; returns its new path, `nil` if its directory is missing.
    ///
    /// The caller reports the move.
    package func moveToAside(_ path: String) throws(SystemError) -> String? {
        let (folderPath, name) = Layout.split(path)
        guard let folder = try tree.root.folder(folderPath) else { return nil }
        let aside = try tree.root.makeDirectory(Layout.aside)
        let newName = try folder.moveToFreeName(Array(name.utf8), in: aside)
        return "\(Layout.aside)/\(String(decoding: newName, as: UTF8.self))"
    }
}

/// An item that was moved out of the way of the mirror's files, into `damaged/` or `aside/`: see ``Tree/takeMovedItems()``.
package struct MovedItem: Hashable, Sendable {
    /// The ``reason`` of an item that a person or another program has put there.
    static let foreignReason = "it was not the mirror's"

    /// Where it was, such as `.apod-mirror/adopted/2026-11-20.jpg`.
    package let path: String
    /// Why it was moved, and where it is now, for people.
    package let reason: String

    /// A line for the log.
    package var text: String { "\(path): \(reason)" }

    init(_ path: String, because reason: String, to newPath: String) {
        self.path = path
        self.reason = "\(reason); it is in \(newPath)"
    }
}
