internal import APOD
internal import Glibc
internal import Platform

/// Damaged files in `damaged/`, named by the SHA-256 of their contents if these can be read; none is
/// overwritten.
extension Store {
    /// Links the damaged file at `path` into `damaged/`, durably, before it is replaced.
    ///
    /// A file whose contents cannot be read is moved, as is anything that is not a file.
    ///
    /// - Throws: ``SystemError``; `path` is unchanged then.
    func keepDamaged(_ path: String, of day: Day) throws(SystemError) {
        guard let status = try tree.root.status(path) else { return }
        guard status.kind == .file else { return try moveDamaged(path) }
        do {
            _ = try archive(path, of: day, in: Layout.damaged)
        } catch {
            let isOfFile =
                ["open", "read"].contains(error.call) && !error.isShortage && !error.isCancelled
            guard isOfFile else { throw error }
            try moveDamaged(path)
        }
    }

    /// Moves the item at `path` into `damaged/`, durably.
    func moveDamaged(_ path: String) throws(SystemError) {
        let (folderPath, name) = Layout.split(path)
        guard let folder = try tree.root.folder(folderPath) else { return }
        let damaged = try tree.root.makeDirectory(Layout.damaged)
        try folder.moveToFreeName(Array(name.utf8), in: damaged)
    }

    /// Moves an item at `path` into `damaged/`, unless it is a file, or a link to a file beside it.
    func makeRoom(for path: String, of day: Day) throws(SystemError) {
        guard let kind = try tree.root.status(path)?.kind, kind != .file else { return }
        // The mirror leaves such a link under the name of a picture that was replaced by one of another type.
        if kind == .symbolicLink,
            tree.root.target(of: path)?.utf8.contains(UInt8(ascii: "/")) == false
        {
            return
        }
        try moveDamaged(path)
    }

    /// Replaces the damaged file at `path`, which is kept in `damaged/`, by a copy of the file at `source`.
    ///
    /// `record` is the one that names the file; `nil` for a file of an earlier revision.
    ///
    /// - Returns: `false` if the contents of `source` do not have the hash.
    /// - Throws: ``SystemError``; the file at `path` is unchanged, or in `damaged/` if it is unreadable.
    func restore(
        _ path: String, from source: String, sha256: String, of day: Day, _ record: DayRecord? = nil
    ) throws(SystemError) -> Bool {
        guard let status = try tree.root.status(source), status.kind == .file,
            status.size <= Layout.largestFile
        else { return false }
        let draft = try draft("\(day).restored")
        try copy(tree.root.openFile(source, O_RDONLY), into: draft)
        // mutant: restored-hash
        guard try draft.file.sha256(path: draft.path, limit: Layout.largestFile) == sha256 else {
            return false
        }
        if let record {
            // A pin may have the contents of an earlier revision, whose origin is not known.
            let picture = record.picture.flatMap { $0.sha256 == sha256 ? $0 : nil }
            let video = record.video.flatMap { $0.sha256 == sha256 ? $0 : nil }
            draft.file.setAttributes(of: record, from: video?.url ?? picture?.origin ?? "")
        }
        try draft.file.setModified(day.noon, path: draft.path)
        // mutant: keep-damaged
        try keepDamaged(path, of: day)
        let (folder, name) = Layout.split(path)
        try draft.publish(in: try tree.root.makeDirectory(folder), as: name)
        return true
    }
}
