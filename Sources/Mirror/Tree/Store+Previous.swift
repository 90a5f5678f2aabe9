internal import APOD
internal import Glibc
internal import Platform

/// Replaced files in `previous/`: each name contains the SHA-256 of the contents, and nothing is overwritten.
extension Store {
    /// Links the file at `path` into the directory `archive`, durably.
    ///
    /// A file larger than ``Layout/largestFile`` is moved into `damaged/`: to hash it would take minutes.
    ///
    /// - Returns: Whether a regular file is at `path`.
    /// - Throws: ``SystemError``; the file is unchanged then.
    func archive(
        _ path: String, of day: Day, label: String = "", in archive: String = Layout.previous
    ) throws(SystemError) -> Bool {
        guard let status = try tree.root.status(path), status.kind == .file else { return false }
        guard status.size <= Layout.largestFile else {
            try moveDamaged(path)
            return true
        }
        let file = try tree.root.openToRead(path)
        let sha256 = try file.sha256(path: path, limit: Layout.largestFile)
        let previous = try tree.root.makeDirectory(archive)
        let previousName = FileName.previous(
            Layout.split(path).name, day: day, sha256: sha256, label: label)
        let original = RecordedFile(path: previousName, bytes: status.size, sha256: sha256)
        // mutation test: previous-is-final
        if try ifReadable(previous.hasContents(of: original, at: previousName)) == true {
            // A process may have been killed between the link and the flush of its directory.
            try previous.flush(previousName)
            return true
        }
        // A file that has the name of these contents and other contents is kept, too.
        if try previous.status(previousName) != nil {
            try moveDamaged("\(archive)/\(previousName)")
        }
        do {
            try tree.root.link(path, to: previous, as: previousName)
            // mutation test: previous-sync
            try previous.flush()
        } catch {
            guard error.isNoLinks else { throw error }
            let draft = try draft("\(day).copy.part")
            try copy(file, into: draft)
            try draft.publish(in: previous, as: previousName)
        }
        return true
    }

    /// Restores the file at `path` from `previous/`, if its contents are there.
    func restorePrevious(_ path: String, sha256: String, of day: Day) throws(SystemError) {
        let (folderPath, name) = Layout.split(path)
        let previous = "\(Layout.previous)/\(FileName.previous(name, day: day, sha256: sha256))"
        guard let status = try tree.root.status(previous), status.kind == .file,
            try tree.root.openToRead(previous).sha256(path: previous, limit: status.size) == sha256
        else { return }
        let folder = try tree.root.makeDirectory(folderPath)
        try makeRoom(for: path, of: day)
        let restored = "\(day).restored"
        try duplicate(previous, to: incoming, as: restored, of: day)
        try incoming.rename(restored, to: folder, as: name)
        try folder.flush()
    }

    /// Replaces a file by a symbolic link to its successor of another type, so that links to it stay valid.
    func replaceByLink(at path: String, to target: String) throws(SystemError) {
        let (folderPath, name) = Layout.split(path)
        guard let folder = try tree.root.folder(folderPath), folder.target(of: name) != target
        else { return }
        // On a file system without symbolic links the old file stays.
        _ = try AtomicFile.publishLink(
            to: target, in: folder, as: name, through: incoming)
    }
}

extension SystemError {
    /// Whether the file system has no hard links, or the file has the maximum number of them.
    var isNoLinks: Bool {
        [EPERM, EOPNOTSUPP, ENOSYS, EMLINK, EXDEV, EINVAL].contains(code)
    }
}
