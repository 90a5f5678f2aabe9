internal import APOD
internal import Mirror
internal import Platform

/// A text that the mirror writes into `favorites/`, for people who see nothing but their file manager.
enum FavoritesText: CaseIterable {
    /// What the folder is for, while it is empty.
    case hint
    /// Which favorites are held, because many links are gone at once; which pictures were changed; which items name no day.
    case report

    var name: String {
        switch self {
        case .hint: Layout.favoritesHint
        case .report: Layout.favoritesReport
        }
    }

    var path: String { "\(Layout.favorites)/\(name)" }

    /// The name that a person gives the ``report`` to confirm that all `held` favorites are to be removed.
    ///
    /// It is like `Remove these favorites 1f04.txt`. The digits are a hash of the held favorites. If one more is held after the
    /// person has read the text, the name no longer fits, and nothing is removed.
    static func confirmation(of held: some Sequence<Day>) -> String {
        let days = held.sorted().map { "\($0)" }.joined()
        return "Remove these favorites \(SHA256.digits(4, of: Array(days.utf8))).txt"
    }

    /// The contents of the ``hint``.
    static let purpose = """
        This folder is for your favorites.

        Drag a picture from the folder "pictures" to here, as a copy (hold Ctrl) or as a link (hold Ctrl and
        Shift). Without a key it is moved, which counts, too: the mirror copies it back. It is a favorite from
        then on, and the mirror keeps it for good. To remove a favorite, delete it from this folder. Folders in
        this folder are collections.

        You can delete this text. It is here while the folder is empty, and does not come back once you delete it.

        """

    /// The contents of the ``report``; `nil` if there is nothing to say.
    ///
    /// `editedPaths` are the paths of the pictures of favorites that a person changed.
    static func report(
        held: [Favorite], editedPaths: [String], unrecognized: [UnrecognizedItem]
    ) -> String? {
        var paragraphs: [String] = []
        if !held.isEmpty {
            let favorites = held.sorted { $0.day > $1.day }.map { "\($0.day) \($0.title ?? "")" }
            paragraphs = [
                "These favorites have no picture in this folder any more, but they are still favorites: so many went"
                    + " at once, or the folder is another one, that it may be an accident.",
                lines(favorites),
                "To keep one, put its picture or link back into this folder. To remove all of them from the favorites,"
                    + " rename this text to",
                "  \(confirmation(of: held.map(\.day)))",
                "Deleting this text removes nothing.",
            ]
        }
        if !editedPaths.isEmpty {
            paragraphs += [
                "These pictures of favorites were changed. The originals come back, and what is there now moves to the"
                    + " hidden folder \(Layout.damaged) of the mirror. Edit copies: they are yours.",
                lines(editedPaths),
            ]
        }
        if !unrecognized.isEmpty {
            let items = unrecognized.map { "\($0.name.text.excerpt(120)): \($0.reason)" }
            paragraphs += [
                "These items in this folder are no favorites:",
                lines(items.limited(to: 100) { "and \($0) more" }),
            ]
        }
        guard !paragraphs.isEmpty else { return nil }
        return (paragraphs + [lastParagraph]).joined(separator: "\n\n")
    }

    private static let lastParagraph =
        "The mirror keeps this text up to date, and deletes it when nothing is left to say.\n"

    private static func lines(_ items: [String]) -> String {
        items.map { "  \($0.excerpt(400))" }.joined(separator: "\n")
    }

    /// Whether a file with these `bytes` is a ``report``, under whatever name.
    static func isReport(_ bytes: [UInt8]) -> Bool {
        bytes.suffix(lastParagraph.utf8.count).elementsEqual(lastParagraph.utf8)
    }
}

// MARK: Writing the texts

extension ReconcileRun {
    /// What writes the texts; it leaves no space free on the disk, because a person needs the texts most when the disk is full.
    private func textFiles() throws(SystemError) -> ViewFiles {
        ViewFiles(of: .hint, in: try Store(besideWriterOf: tree))
    }

    /// Writes, replaces or removes each ``FavoritesText``, by what `survey` shows.
    ///
    /// A text that a person deleted comes back only when it has something else to say. A text that a person changed stays. If a
    /// text cannot be written because of missing rights or space, that is not reported.
    func updateTexts(_ survey: Survey) {
        let scan = survey.scan
        // After a failure, such as a full disk, more important steps are repeated first.
        guard !scan.isPartial, !survey.classified.isUnfinished, outcome.failures.isEmpty else {
            return
        }
        for text in FavoritesText.allCases {
            let isThere = scan.items.contains { $0.name.bytes.elementsEqual(text.name.utf8) }
            do throws(SystemError) {
                try update(text, to: contents(of: text, after: survey), isThere: isThere)
            } catch {
                // If the folder is gone, the next scan shows that. If the disk is full, more important steps report that.
                guard error.cause == .transient else { continue }
                outcome.addFailure(error)
            }
        }
    }

    private func update(
        _ text: FavoritesText, to contents: String?, isThere: Bool
    ) throws(SystemError) {
        let files = try textFiles()
        // A killed process may have left the text under its temporary name.
        try tree.root.remove(Directory.waitingPath(for: text.path))
        guard let contents else {
            if isThere || text == .report { _ = try files.remove([text.path]) }
            return
        }
        let file = ViewFiles.File(path: text.path, bytes: Array(contents.utf8))
        // A person deleted the text.
        if !isThere, try files.hasWritten(file) { return }
        do throws(SystemError) {
            _ = try files.publish([file])
        } catch {
            // The table of written texts has it already, and the next scan would take it for a text that a person deleted.
            if !isThere { _ = try? files.remove([text.path]) }
            throw error
        }
    }

    /// What `text` says now; `nil` if the folder needs no such text.
    private func contents(of text: FavoritesText, after survey: Survey) -> String? {
        switch text {
        case .hint:
            let hasItems =
                survey.scan.folders.count > 1 || survey.scan.items.contains { !$0.isText }
            return stored.favorites.isEmpty && !hasItems ? FavoritesText.purpose : nil
        case .report:
            return FavoritesText.report(
                held: stored.favorites.values.filter(\.isHeld),
                editedPaths: memory.editedPictures.values.sorted(),
                unrecognized: survey.unrecognized.filter { !$0.mayBeIncomplete })
        }
    }

    /// Requests the removal of the held favorites, if a person renamed the report to ``FavoritesText/confirmation(of:)``.
    ///
    /// Only the last report that was written counts, and none from a backup. The requests are durable before it is deleted.
    func acceptConfirmation(in scan: inout Scan) throws(SystemError) {
        let held = stored.favorites.values.filter(\.isHeld).map(\.day)
        let name = FavoritesText.confirmation(of: held)
        guard let index = scan.items.firstIndex(where: { $0.name.bytes.elementsEqual(name.utf8) })
        else { return }
        let path = "\(Layout.favorites)/\(name)"
        let files = try textFiles()
        guard try files.isMoved(from: FavoritesText.report.path, to: path) else { return }
        for day in held { try store.requestForget(day) }
        try tree.root.removeDurably(path)
        // Renaming the report is not deleting it: it is written again if it still has something to say.
        _ = try files.remove([FavoritesText.report.path])
        scan.items.remove(at: index)
        scan.forgetRequests.formUnion(held)
    }
}

extension ScannedItem {
    /// Whether it has the name of a ``FavoritesText``.
    fileprivate var isText: Bool {
        FavoritesText.allCases.contains { name.bytes.elementsEqual($0.name.utf8) }
    }
}
