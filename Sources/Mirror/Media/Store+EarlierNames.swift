internal import APOD
internal import Platform

/// Links at the earlier paths of pictures whose type has changed, so that what users have linked to these paths stays valid.
extension Store {
    /// Replaces `file`, which is in `previous/` already, by a symbolic link to the file of another type that succeeds it.
    ///
    /// For example, `2026-11-20 M 31.jpg` becomes a link to `2026-11-20 M 31.png`, so that the links of users stay valid.
    /// ``isEarlierName(_:of:)`` recognizes such a link later. A call may be repeated.
    func replaceByLink(
        _ file: RecordedFile, to target: String, of day: Day
    ) throws(SystemError) {
        let (folderPath, name) = Layout.split(file.path)
        guard let folder = try tree.root.folder(folderPath),
            try folder.readTarget(of: name) != target
        else { return }
        if try !tree.root.hasContents(of: file, at: file.path) {
            try moveDamaged(file.path, of: day)
        }
        // On a file system without symbolic links, the old file stays, and counts as a person's.
        _ = try AtomicFile.publishLink(
            to: target, in: folder, as: name, through: incoming)
    }

    /// Whether the item at `path` is the link that ``replaceByLink(_:to:of:)`` left at an earlier path of the picture of `day`.
    ///
    /// It leads to the same name with another extension, and a file in `previous/` has the extension of `path`. Any other link
    /// belongs to a person, and so does any file: a person may have put the earlier picture back.
    func isEarlierName(_ path: String, of day: Day) throws(SystemError) -> Bool {
        guard let (stem, ending) = Layout.split(path).name.splitAtLastDot,
            tree.root.target(of: path)?.splitAtLastDot?.stem == stem
        else { return false }
        return try replacedFiles(of: day).contains { $0.hasSuffix(ending) }
    }
}
