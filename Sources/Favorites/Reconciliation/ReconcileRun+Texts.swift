internal import APOD
internal import Mirror
internal import Platform

/// Writes the two ``FavoritesText`` files into `favorites/`, and accepts the answer that a person gives by renaming one.
///
/// A text that a person deleted comes back only when it has something else to say. A text that a person changed stays.
extension ReconcileRun {
    /// What writes and removes the texts, and knows which of them a person has changed.
    ///
    /// It may use the space that other writers leave free: a person needs the texts most when the disk is full.
    private func textFiles() throws(SystemError) -> ViewFiles {
        ViewFiles(of: .hint, in: try Store(besideWriterOf: tree))
    }

    /// Writes, replaces or removes each text, by what `survey` shows.
    ///
    /// If a text cannot be written because of missing rights or space, that is not reported.
    func updateTexts(_ survey: Survey) {
        let isComplete = !survey.scan.isPartial && !survey.classified.isUnfinished
        // After a failure, such as a full disk, more important steps are repeated first.
        guard isComplete, outcome.failures.isEmpty else { return }
        for text in FavoritesText.allCases {
            let isThere = survey.scan.items.contains { $0.isNamed(like: text) }
            do throws(SystemError) {
                try update(text, to: contents(of: text, after: survey), isThere: isThere)
            } catch {
                // If the folder is gone, the next scan shows that. If the disk is full, more important steps report that.
                guard error.cause == .transient else { continue }
                outcome.addFailure(error)
            }
        }
    }

    /// Writes `text` with the new `contents`, or removes it without any; `isThere` says whether the scan found it.
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
            let hasOwnFolders = survey.scan.folders.count > 1
            let hasItems = survey.scan.items.contains { item in
                !FavoritesText.allCases.contains(where: item.isNamed(like:))
            }
            let isEmpty = stored.favorites.isEmpty && !hasOwnFolders && !hasItems
            return isEmpty ? FavoritesText.hintContents : nil
        case .report:
            return FavoritesText.reportContents(
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
