internal import Mirror
internal import Platform

/// The files of the ``FavoritesText``s in `favorites/`: writes and removes them, and knows which of them a person has changed.
///
/// A text that a person deleted comes back only when it has something else to say. A text that a person changed stays.
struct FavoritesTextFiles {
    private let tree: Tree
    private let files: ViewFiles

    /// The texts may use the space that other writers leave free: a person needs them most when the disk is full.
    init(in tree: Tree) throws(SystemError) {
        self.tree = tree
        files = ViewFiles(of: .hint, in: try Store(besideWriterOf: tree))
    }

    /// Writes `contents` into the file of `text`, or removes it if there are none; `wasFound` says whether the scan found it.
    func update(
        _ text: FavoritesText, to contents: String?, wasFound: Bool
    ) throws(SystemError) {
        // A killed process may have left a temporary file.
        try tree.root.remove(Directory.waitingPath(for: text.path))
        if let contents {
            let file = ViewFiles.File(path: text.path, bytes: Array(contents.utf8))
            if wasFound { try publish(file) } else { try add(file) }
        } else if wasFound || text == .report {
            // The table of written files forgets a deleted report, which comes back when there is something to report again.
            // The table keeps a hint that a person deleted, so that it never comes back.
            try remove(text)
        }
    }

    /// Writes a text that the scan did not find, unless a person has deleted a text that said the same.
    private func add(_ file: ViewFiles.File) throws(SystemError) {
        let wasDeletedByPerson = try files.hasWritten(file)
        guard !wasDeletedByPerson else { return }
        do throws(SystemError) {
            try publish(file)
        } catch {
            // `publish` enters the text in the table of written files before it writes it. Without this, the next scan would
            // find it missing, and take it for a text that a person deleted.
            _ = try? files.remove([file.path])
            throw error
        }
    }

    private func publish(_ file: ViewFiles.File) throws(SystemError) {
        if let error = try files.publish([file]).failures.first { throw error }
    }

    private func remove(_ text: FavoritesText) throws(SystemError) {
        if let error = try files.remove([text.path]).failures.first { throw error }
    }

    // MARK: The renamed report

    /// Whether `item` is the report that was written last, under a new name; an older one, from a backup for example, is not.
    func isRenamedReport(_ item: ScannedItem) throws(SystemError) -> Bool {
        try files.isMoved(
            from: FavoritesText.report.path, to: "\(Layout.favorites)/\(item.name.text)")
    }

    /// Forgets that the report was written: renaming it is not deleting it, so that it is written again if there is a reason.
    func forgetReport() throws(SystemError) { _ = try files.remove([FavoritesText.report.path]) }
}
