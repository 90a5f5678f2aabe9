internal import APOD
internal import Mirror
internal import Platform

/// Keeps the two ``FavoritesText``s in `favorites/` up to date, and obeys a person who renamed one of them.
///
/// A person who renames the report confirms by its new name that the held favorites are to be removed.
extension ReconcileRun {
    /// Writes, replaces or removes each text, by what `survey` shows.
    ///
    /// Nothing is done while a part of `favorites/` is unknown, or after a failure, such as a full disk: more important steps
    /// are repeated first.
    func updateTexts(_ survey: Survey) {
        let isComplete = !survey.scan.isPartial && !survey.classified.isUnfinished
        guard isComplete, outcome.failures.isEmpty else { return }
        for text in FavoritesText.allCases {
            do throws(SystemError) {
                try FavoritesTextFiles(in: tree).update(
                    text, to: contents(of: text, after: survey),
                    wasFound: survey.scan.items.contains { $0.isNamed(like: text) })
            } catch {
                if isFailure(error, of: text) { outcome.addFailure(error) }
            }
        }
    }

    /// Whether `error` means that the next scan must try again to write `text`.
    ///
    /// It need not if a person made the folder read-only, unless the text asks what to do with held favorites. A scan also
    /// notices a missing folder by itself.
    private func isFailure(_ error: SystemError, of text: FavoritesText) -> Bool {
        let asks = text == .report && stored.favorites.values.contains(where: \.isHeld)
        return error.cause == .transient || asks && error.cause != .absent
    }

    /// What `text` says now; `nil` if the folder needs no such text.
    private func contents(of text: FavoritesText, after survey: Survey) -> String? {
        switch text {
        case .hint:
            let isEmpty = stored.favorites.isEmpty && survey.scan.hasOnlyTexts
            return isEmpty ? FavoritesText.hintContents : nil
        case .report:
            return FavoritesReport(
                held: stored.favorites.values.filter(\.isHeld).map { mirrored.withTitle($0) },
                editedPaths: memory.editedPaths.values.sorted(),
                unrepaired: unrepairedLinks.sorted(),
                unrecognized: survey.unrecognized.filter { !$0.mayBeIncomplete }
            ).contents
        }
    }

    // MARK: The confirmation

    /// Requests the removal of the held favorites, if a person renamed the report to ``FavoritesText/confirmation(of:)``.
    ///
    /// The scan gets the requests, and loses the renamed report.
    func acceptConfirmation(in scan: inout Scan) throws(SystemError) {
        let held = stored.favorites.values.filter(\.isHeld).map(\.day)
        guard !held.isEmpty, let report = try report(confirming: held, in: scan) else { return }
        // The requests are durable before the file that asks for them is deleted.
        for day in held { try store.requestForget(day) }
        try tree.root.removeDurably(report.name.path)
        try FavoritesTextFiles(in: tree).forgetReport()
        scan.items.removeAll { $0 == report }
        scan.forgetRequests.formUnion(held)
    }

    /// The report, if a person gave it the name that confirms the removal of the `held` favorites.
    private func report(
        confirming held: [Day], in scan: Scan
    ) throws(SystemError) -> ScannedItem? {
        let name = FavoritesText.confirmation(of: held)
        for item in scan.items where FavoritesText.isName(item.name.text, typedFor: name) {
            if try FavoritesTextFiles(in: tree).isRenamedReport(item) { return item }
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
