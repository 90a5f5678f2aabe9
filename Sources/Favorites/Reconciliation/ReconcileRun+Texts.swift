internal import APOD
internal import Mirror
internal import Platform

/// Writes the two ``FavoritesText`` files into `favorites/`, and removes them when they are not needed any more.
///
/// A text that a person deleted comes back only when it has something else to say. A text that a person changed stays. A person
/// who renames the report confirms by its new name that the held favorites are to be removed.
extension ReconcileRun {
    /// Makes what writes and removes the texts, and knows which of them a person has changed.
    ///
    /// It may use the space that other writers leave free: a person needs the texts most when the disk is full.
    private func textFiles() throws(SystemError) -> ViewFiles {
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
                try update(text, to: contents(of: text, after: survey), wasFound: wasFound)
            } catch {
                // The next scan notices a missing folder. A person may have made it read-only, and then misses only the report
                // that asks what to do with held favorites.
                let isAsking =
                    text == .report && stored.favorites.values.contains(where: \.isHeld)
                if error.cause == .transient || isAsking && error.cause != .absent {
                    outcome.addFailure(error)
                }
            }
        }
    }

    /// What `text` says now; `nil` if the folder needs no such text.
    private func contents(of text: FavoritesText, after survey: Survey) -> String? {
        switch text {
        case .hint:
            let isEmpty = stored.favorites.isEmpty && survey.scan.hasOnlyTexts
            return isEmpty ? FavoritesText.hintContents : nil
        case .report:
            return FavoritesText.reportContents(
                held: stored.favorites.values.filter(\.isHeld).map { mirrored.withTitle($0) },
                editedPaths: memory.editedPaths.values.sorted(),
                unrepaired: unrepairedLinks.sorted(),
                unrecognized: survey.unrecognized.filter { !$0.mayBeIncomplete })
        }
    }

    /// Writes `contents` into the file of `text`, or removes it if there are none; `wasFound` says whether the scan found it.
    private func update(
        _ text: FavoritesText, to contents: String?, wasFound: Bool
    ) throws(SystemError) {
        let files = try textFiles()
        // A killed process may have left a temporary file.
        try tree.root.remove(Directory.waitingPath(for: text.path))
        if let contents {
            let file = ViewFiles.File(path: text.path, bytes: Array(contents.utf8))
            if wasFound { try publish(file, by: files) } else { try add(file, to: files) }
        } else if wasFound || text == .report {
            // The table of written files forgets a deleted report, which comes back when there is something to report again.
            // The table keeps a hint that a person deleted, so that it never comes back.
            if let error = try files.remove([text.path]).failures.first { throw error }
        }
    }

    /// Writes a text that the scan did not find, unless a person has deleted a text that said the same.
    private func add(_ file: ViewFiles.File, to files: ViewFiles) throws(SystemError) {
        let wasDeletedByPerson = try files.hasWritten(file)
        guard !wasDeletedByPerson else { return }
        do throws(SystemError) {
            try publish(file, by: files)
        } catch {
            // `publish` enters the text in the table of written files before it writes it. Without this, the next scan would
            // find it missing, and take it for a text that a person deleted.
            _ = try? files.remove([file.path])
            throw error
        }
    }

    private func publish(_ file: ViewFiles.File, by files: ViewFiles) throws(SystemError) {
        if let error = try files.publish([file]).failures.first { throw error }
    }

    // MARK: The confirmation

    /// Requests the removal of the held favorites, if a person renamed the report to ``FavoritesText/confirmation(of:)``.
    ///
    /// The scan gets the requests, and loses the renamed report.
    func acceptConfirmation(in scan: inout Scan) throws(SystemError) {
        let held = stored.favorites.values.filter(\.isHeld).map(\.day)
        guard !held.isEmpty else { return }
        let name = FavoritesText.confirmation(of: held)
        guard let index = try indexOfReport(renamedTo: name, in: scan) else { return }
        // The requests are durable before the file that asks for them is deleted.
        for day in held { try store.requestForget(day) }
        try tree.root.removeDurably(scan.items[index].name.path)
        // Renaming the report is not deleting it: it is written again if it still has something to say.
        _ = try textFiles().remove([FavoritesText.report.path])
        scan.items.remove(at: index)
        scan.forgetRequests.formUnion(held)
    }

    /// The index of the item in `scan` that is the renamed report.
    ///
    /// Only the report that was written last counts. An older one, from a backup for example, confirms nothing.
    private func indexOfReport(
        renamedTo name: String, in scan: Scan
    ) throws(SystemError) -> Int? {
        for (index, item) in scan.items.enumerated()
        where FavoritesText.isName(item.name.text, typedFor: name) {
            let path = "\(Layout.favorites)/\(item.name.text)"
            if try textFiles().isMoved(from: FavoritesText.report.path, to: path) { return index }
        }
        return nil
    }
}

extension Scan {
    /// Whether `favorites/` itself is the only folder, and has nothing but the texts of the mirror.
    fileprivate var hasOnlyTexts: Bool {
        folders.count <= 1
            && items.allSatisfy { FavoritesText.allCases.contains(where: $0.isNamed(like:)) }
    }
}
