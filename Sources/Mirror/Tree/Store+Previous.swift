internal import APOD
internal import Glibc
internal import Platform

/// Replaced files in `previous/`: each name contains the SHA-256 of the content, so equal names mean
/// equal content and nothing is ever overwritten.
extension Store {
    /// Links the file at `path` into `previous/` or `damaged/`, durably.
    ///
    /// One that is too large for a file of the mirror is moved into `damaged/`: its hash would take minutes.
    ///
    /// - Returns: Whether there is such a file; a symbolic link is none.
    /// - Throws: ``SystemError``; the file is unchanged then.
    func archive(
        _ path: String, of day: Day, label: String = "", in archive: String = Layout.previous
    ) throws(SystemError) -> Bool {
        guard let status = try tree.root.status(path), status.kind == .file else { return false }
        guard status.size <= Layout.largestFile else {
            try moveDamaged(path, of: day)
            return true
        }
        let (folderPath, name) = Layout.split(path)
        guard let folder = try tree.root.folder(folderPath) else { return false }
        let file = try folder.openToRead(name)
        let sha256 = try file.sha256(path: path)
        let previous = try tree.root.makeDirectory(archive)
        let previousName = FileName.previous(name, day: day, sha256: sha256, label: label)
        // mutant: previous-is-final
        guard try previous.status(previousName) == nil else { return true }
        do {
            try folder.link(name, to: previous, as: previousName)
            // mutant: previous-sync
            try previous.synchronize()
        } catch {
            guard error.isNoLinks else { throw error }
            try copy(file, to: previousName, in: previous, of: day)
        }
        return true
    }

    /// Restores `path` from `previous/`, if a file of that content is there.
    func restorePrevious(_ path: String, sha256: String, of day: Day) throws(SystemError) {
        let (folderPath, name) = Layout.split(path)
        let previousName = FileName.previous(name, day: day, sha256: sha256)
        guard let previous = try tree.root.folder(Layout.previous),
            try previous.status(previousName)?.kind == .file
        else { return }
        let folder = try tree.root.makeDirectory(folderPath)
        try makeRoom(for: path, of: day)
        let incoming = try tree.root.makeDirectory(Layout.incoming)
        let aside = "\(day).restored"
        try incoming.remove(aside)
        do {
            try previous.link(previousName, to: incoming, as: aside)
            try incoming.rename(aside, to: folder, as: name)
            try folder.synchronize()
        } catch {
            guard error.isNoLinks else { throw error }
            let file = try previous.openToRead(previousName)
            try copy(file, to: name, in: folder, of: day)
        }
    }

    private func copy(
        _ file: borrowing FileDescriptor, to name: String, in folder: Directory, of day: Day
    ) throws(SystemError) {
        let draft = try draft("\(day).copy.part")
        try draft.file.copy(from: file, path: draft.path)
        try draft.publish(in: folder, as: name)
    }

    /// Replaces a file by a symbolic link to its successor of another type, so that links to it keep
    /// working.
    func replaceByLink(at path: String, to target: String) throws(SystemError) {
        let (folderPath, name) = Layout.split(path)
        guard let folder = try tree.root.folder(folderPath), folder.target(of: name) != target
        else { return }
        // On a file system without symbolic links the old file stays.
        _ = try AtomicFile.publishLink(
            to: target, in: folder, as: name,
            through: try tree.root.makeDirectory(Layout.incoming))
    }
}

extension SystemError {
    /// The file system has no hard links, or the file has the maximum number of them.
    var isNoLinks: Bool {
        [EPERM, EOPNOTSUPP, ENOSYS, EMLINK, EXDEV, EINVAL].contains(code)
    }
}
