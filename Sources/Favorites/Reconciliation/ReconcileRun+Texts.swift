internal import APOD
internal import Mirror
internal import Platform

/// Writes the two ``FavoritesText`` files into `favorites/`, and removes them when they are not needed any more.
///
/// A text that a person deleted comes back only when it has something else to say. A text that a person changed stays.
extension ReconcileRun {
    /// Makes what writes and removes the texts, and knows which of them a person has changed.
    ///
    /// It may use the space that other writers leave free: a person needs the texts most when the disk is full.
    func textFiles() throws(SystemError) -> ViewFiles {
        ViewFiles(of: .hint, in: try Store(besideWriterOf: tree))
    }

    /// Writes, replaces or removes each text, by what `survey` shows.
    ///
    /// Nothing is done while a part of `favorites/` is unknown, or after a failure, such as a full disk: more important steps
    /// are repeated first.
    func updateTexts(_ survey: Survey) {
        let isComplete = !survey.scan.isPartial && !survey.classified.isUnfinished
        guard isComplete, outcome.failures.isEmpty else { return }
        for text in FavoritesText.allCases {
            let wasFound = survey.scan.items.contains { $0.isNamed(like: text) }
            do throws(SystemError) {
                if let contents = contents(of: text, after: survey) {
                    try write(contents, to: text, wasFound: wasFound)
                } else {
                    try remove(text, wasFound: wasFound)
                }
            } catch {
                // Other causes need no report here: the next scan notices a missing folder, and missing rights or space fail
                // more important steps, which report them.
                if error.cause == .transient { outcome.addFailure(error) }
            }
        }
    }

    /// What `text` says now; `nil` if the folder needs no such text.
    private func contents(of text: FavoritesText, after survey: Survey) -> String? {
        switch text {
        case .hint:
            let hasOwnFolders = survey.scan.folders.count > 1
            let hasItems = survey.scan.items.contains { item in
                !FavoritesText.allCases.contains(where: item.isNamed(like:))
            }
            let isEmpty = stored.favorites.isEmpty && !hasOwnFolders && !hasItems
            return isEmpty ? FavoritesText.hintContents : nil
        case .report:
            return FavoritesText.reportContents(
                held: stored.favorites.values.filter(\.isHeld).map { mirrored.withTitle($0) },
                editedPaths: memory.editedPaths.values.sorted(),
                unrecognized: survey.unrecognized.filter { !$0.mayBeIncomplete })
        }
    }

    /// Writes `contents` into the file of `text`, unless a person has deleted a text that said the same.
    ///
    /// `wasFound` says whether the scan found the file.
    private func write(
        _ contents: String, to text: FavoritesText, wasFound: Bool
    ) throws(SystemError) {
        let files = try textFiles()
        try removeLeftover(of: text)
        let file = ViewFiles.File(path: text.path, bytes: Array(contents.utf8))
        let wasDeletedByPerson = wasFound ? false : try files.hasWritten(file)
        if wasDeletedByPerson { return }
        do throws(SystemError) {
            _ = try files.publish([file])
        } catch {
            // `publish` enters the text in the table of written files before it writes it. Without this, the next scan would
            // find it missing, and take it for a text that a person deleted.
            if !wasFound { _ = try? files.remove([text.path]) }
            throw error
        }
    }

    private func remove(_ text: FavoritesText, wasFound: Bool) throws(SystemError) {
        let files = try textFiles()
        try removeLeftover(of: text)
        // The table of written files keeps a hint that a person deleted, so that it never comes back. It forgets a deleted
        // report, which comes back when there is something to report again.
        if wasFound || text == .report { _ = try files.remove([text.path]) }
    }

    /// Removes the temporary file of `text` that a killed process may have left.
    private func removeLeftover(of text: FavoritesText) throws(SystemError) {
        try tree.root.remove(Directory.waitingPath(for: text.path))
    }

    // MARK: The confirmation

    /// Requests the removal of the held favorites, if a person renamed the report to ``FavoritesText/confirmation(of:)``.
    ///
    /// Only the report that was written last counts. An older one, from a backup for example, confirms nothing.
    func acceptConfirmation(in scan: inout Scan) throws(SystemError) {
        let held = stored.favorites.values.filter(\.isHeld).map(\.day)
        guard !held.isEmpty else { return }
        let name = FavoritesText.confirmation(of: held)
        for (index, item) in scan.items.enumerated()
        where FavoritesText.isName(item.name.text, typedFor: name) {
            let path = "\(Layout.favorites)/\(item.name.text)"
            let files = try textFiles()
            guard try files.isMoved(from: FavoritesText.report.path, to: path) else { continue }
            // The requests are durable before the file that asks for them is deleted.
            for day in held { try store.requestForget(day) }
            try tree.root.removeDurably(path)
            // Renaming the report is not deleting it: it is written again if it still has something to say.
            _ = try files.remove([FavoritesText.report.path])
            scan.items.remove(at: index)
            scan.forgetRequests.formUnion(held)
            return
        }
    }
}
