internal import APOD
internal import Mirror
internal import Platform

/// Keeps the texts in `favorites/` up to date, and accepts what a person confirms by renaming one.
extension Favorites {
    /// A few kilobytes, which a person needs most when the disk is full: no space is kept free from them.
    private func textFiles() throws(SystemError) -> ViewFiles {
        ViewFiles(of: .hint, in: try Store(besideWriterOf: tree))
    }

    /// Writes, replaces or removes each ``FavoritesText``, by what `survey` shows.
    ///
    /// One that its owner deleted comes back only when it says something else; one that somebody changed stays. One that
    /// cannot be written for want of rights or room is no failure.
    func updateTexts(_ survey: Survey) {
        let scan = survey.scan
        // After a failure, such as that of a full disk, what matters more is repeated first.
        guard !scan.isPartial, !survey.classified.isUnfinished, outcome.failures.isEmpty else {
            return
        }
        for text in FavoritesText.allCases {
            let isThere = scan.items.contains { $0.name.bytes.elementsEqual(text.name.utf8) }
            do throws(SystemError) {
                try update(text, to: contents(of: text, survey), isThere: isThere)
            } catch {
                // The folder may be gone since the scan; a full disk fails what matters, too.
                guard error.cause == .transient else { continue }
                report(error)
            }
        }
    }

    private func update(
        _ text: FavoritesText, to contents: String?, isThere: Bool
    ) throws(SystemError) {
        let files = try textFiles()
        // What a killed process was about to publish.
        try tree.root.remove(Directory.waitingPath(for: text.path))
        guard let contents else {
            if isThere || text == .report { _ = try files.remove([text.path]) }
            return
        }
        let file = ViewFiles.File(path: text.path, bytes: Array(contents.utf8))
        // One that its owner deleted is not there.
        if !isThere, try files.hasWritten(file) { return }
        do throws(SystemError) {
            _ = try files.publish([file])
        } catch {
            // It was not deleted.
            if !isThere { _ = try? files.remove([text.path]) }
            throw error
        }
    }

    /// What `text` is to say now; `nil` if it is not to be there.
    private func contents(of text: FavoritesText, _ survey: Survey) -> String? {
        switch text {
        case .hint:
            let hasItems =
                survey.scan.folders.count > 1 || survey.scan.items.contains { !$0.isText }
            return book.favorites.isEmpty && !hasItems ? FavoritesText.purpose : nil
        case .report:
            return FavoritesText.report(
                held: book.favorites.values.filter(\.isHeld), edited: edited.values.sorted(),
                unrecognized: survey.unrecognized.filter(\.isSettled))
        }
    }

    /// Asks to forget the held favorites, if a person renamed the report that has these to ``FavoritesText/confirmation(of:)``.
    ///
    /// It must be the report as it was written last: so no text from a backup counts. The requests are durable before the text
    /// goes.
    func acceptConfirmation(in scan: inout Scan) throws(SystemError) {
        let held = book.favorites.values.filter(\.isHeld).map(\.day)
        let name = FavoritesText.confirmation(of: held)
        guard let index = scan.items.firstIndex(where: { $0.name.bytes.elementsEqual(name.utf8) })
        else { return }
        let path = "\(Layout.favorites)/\(name)"
        let files = try textFiles()
        guard try files.isMoved(from: FavoritesText.report.path, to: path) else { return }
        for day in held { try store.requestForget(day) }
        try tree.root.removeDurably(path)
        // The person renamed the report, and deleted nothing: it is written again if it has other entries.
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
