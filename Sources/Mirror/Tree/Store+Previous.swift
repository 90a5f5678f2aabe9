internal import APOD
internal import Glibc
internal import Platform

/// What edits replaced, in `previous/`: each name contains the SHA-256 of the content, so that equal names
/// mean equal content and nothing there is ever overwritten.
extension Store {
    /// Gives the file at `path` a second name in `previous/`, on the disk when this returns.
    ///
    /// - Parameters:
    ///   - path: Relative to the root.
    ///   - day: Its day.
    ///   - label: What the name says besides.
    /// - Returns: Whether there is such a file; a link is none.
    /// - Throws: ``SystemError``; the file stands as it did.
    func keepPrevious(
        _ path: String, of day: Day, label: String = ""
    ) throws(SystemError) -> Bool {
        guard try tree.root.status(path)?.kind == .file else { return false }
        let (folderPath, name) = Layout.split(path)
        guard let folder = try tree.root.folder(folderPath) else { return false }
        let file = try folder.open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        let sha256 = try file.sha256(path: path)
        let previous = try tree.root.makeDirectory(Layout.previous)
        let kept = FileName.previous(name, day: day, sha256: sha256, label: label)
        guard try previous.status(kept) == nil else { return true }
        do {
            try folder.link(name, to: previous, as: kept)
            try previous.synchronize()
        } catch {
            guard error.isNoLinks else { throw error }
            try copy(file, to: kept, in: previous, of: day)
        }
        return true
    }

    /// Gives what `previous/` has of that content the name `path`, where there is such.
    func restorePrevious(_ path: String, sha256: String, of day: Day) throws(SystemError) {
        let (folderPath, name) = Layout.split(path)
        let kept = FileName.previous(name, day: day, sha256: sha256)
        guard let previous = try tree.root.folder(Layout.previous),
            try previous.status(kept)?.kind == .file
        else { return }
        let folder = try tree.root.makeDirectory(folderPath)
        let incoming = try tree.root.makeDirectory(Layout.incoming)
        let aside = "\(day).restored"
        try incoming.remove(aside)
        do {
            try previous.link(kept, to: incoming, as: aside)
            try incoming.rename(aside, to: folder, as: name)
            try folder.synchronize()
        } catch {
            guard error.isNoLinks else { throw error }
            let file = try previous.open(kept, O_RDONLY | O_NONBLOCK | O_NOCTTY)
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

    /// Puts a link in the place of a file whose successor is of another type: links to it keep working.
    func leaveLink(at path: String, to target: String) throws(SystemError) {
        let (folderPath, name) = Layout.split(path)
        guard let folder = try tree.root.folder(folderPath), folder.target(of: name) != target
        else { return }
        // A file system without links keeps the old file where it is.
        _ = try AtomicFile.publishLink(
            to: target, in: folder, as: name,
            through: try tree.root.makeDirectory(Layout.incoming))
    }
}

extension SystemError {
    /// The file system has no such links, or the file has as many as there may be.
    fileprivate var isNoLinks: Bool {
        [EPERM, EOPNOTSUPP, ENOSYS, EMLINK, EXDEV, EINVAL].contains(code)
    }
}
