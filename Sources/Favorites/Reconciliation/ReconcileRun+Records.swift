internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// Brings the records of favorites up to date with a scan of `favorites/`: the main step of a reconciliation.
///
/// The record of a favorite is a file that the daemon writes as soon as an item in `favorites/`, such as a link to a picture,
/// refers to the day. If no item is left, the record moves to the trash after a minute. If an accident is likely, the favorite
/// is held instead: it stays until a person restores or removes it. ``Reconciliation`` decides that.
extension ReconcileRun {
    /// Records the changes that `scan` shows; a missing `favorites/` is first created again and scanned.
    ///
    /// A step within `attempt` that fails adds its error to the ``outcome``. The other steps go on, and the next scan repeats it.
    func updateRecords(_ scan: Scan, isBrief: Bool) throws(SystemError) -> Survey {
        let compared = try prepareComparison(of: scan)
        outcome.notices += compared.scan.failures.map(\.notice)
        let survey = makeSurvey(of: compared, isBrief: isBrief)
        requestNextScan(after: survey)
        let areAllWritten = carryOut(survey.reconciliation)
        attempt(try store.removeForgetRequests(requests(carriedOutBy: survey)))
        attempt(
            try recordDirectory(
                of: survey, replacing: compared.lastDirectory, areAllWritten: areAllWritten))
        return survey
    }

    /// A scan, and what it is compared with.
    private struct ComparedScan {
        var scan: Scan
        /// The directory of the last complete scan; `nil` if there was none, or if that cannot be read.
        var lastDirectory: ScannedDirectory?
        /// The directory in which a missing item may mean that a person removed the favorite.
        var knownDirectory: ScannedDirectory?
    }

    /// Finds the last directory, and replaces `scan` if there is no `favorites/` or if a person confirmed removals in it.
    private func prepareComparison(of scan: Scan) throws(SystemError) -> ComparedScan {
        var compared = ComparedScan(scan: scan)
        if let lastDirectory = attempt(try store.lastScannedDirectory()) {
            compared.lastDirectory = lastDirectory
            compared.knownDirectory = lastDirectory
        } else {
            compared.scan.isComparable = false
        }
        if scan.place == .nothing, compared.scan.isComparable {
            let isNew = try recreateFolder(like: compared.lastDirectory)
            compared.scan = Scan(of: tree.root)
            // The new folder may have the identity of the lost one. Favorites without a link in it are held all the same.
            if isNew { compared.knownDirectory = nil }
        }
        attempt(try acceptConfirmation(in: &compared.scan))
        return compared
    }

    /// Compares a scan with the records; what it finds out about files is remembered for the next scan.
    private func makeSurvey(of compared: ComparedScan, isBrief: Bool) -> Survey {
        // New links must not wait until large files are read.
        let brief = ReadingTime.limited { [timer] in timer.elapsed >= .seconds(1) }
        let survey = Survey(
            of: compared.scan, in: mirror, comparedWith: stored, knownFiles: memory.knownFiles,
            lastDirectory: compared.knownDirectory, now: now, uptime: timer.start,
            readingTime: isBrief ? brief : .unlimited)
        memory.knownFiles.update(after: survey)
        outcome.unrecognized = survey.unrecognized
        return survey
    }

    /// Asks for the next scan, if files were left unread or may still grow, or if a favorite will have been missing long enough.
    private func requestNextScan(after survey: Survey) {
        if survey.classified.isUnfinished { outcome.scanAgain(within: .zero) }
        if survey.classified.hasIncompleteFiles {
            // The pause grows with the work, so that a file that is written all the time does not keep the disk busy.
            let pause = (survey.scan.duration + timer.elapsed).pauseAfterWork
            outcome.scanAgain(within: max(RetryDelay.growingFile, pause))
        }
        if let seconds = survey.reconciliation.secondsUntilNextRemoval {
            outcome.scanAgain(within: .seconds(seconds))
        }
    }

    /// Writes the changed records, and moves the records of removed favorites to the trash.
    ///
    /// - Returns: Whether all changed records were written; a removal that failed is repeated by the next scan.
    private func carryOut(_ reconciliation: Reconciliation) -> Bool {
        // A new favorite may be one that returns from the trash.
        if memory.mustReadTrash || !reconciliation.added.isEmpty { readTrash() }
        for day in stored.damaged.sorted() { attempt(try setAsideDamagedRecord(of: day)) }
        let changed = reconciliation.changed.map { withTrashedMembers(mirrored.withTitle($0)) }
        let written = write(changed)
        outcome.added = reconciliation.added.filter { written.contains($0.day) }
        reportHeld(reconciliation.held.count { written.contains($0.day) })
        for favorite in reconciliation.removed { attempt(try moveToTrash(favorite)) }
        return written.count == changed.count
    }

    /// Renames the damaged record of `day`, so that its favorite gets a new one.
    private func setAsideDamagedRecord(of day: Day) throws(SystemError) {
        try store.setAside(day)
        memory.stored.damaged.remove(day)
        outcome.notices.append(
            "the record of the favorite \(day) was damaged: renamed it, with “.damaged” behind, and"
                + " wrote a new one")
    }

    private func reportHeld(_ count: Int) {
        guard count > 0 else { return }
        outcome.notices.append(
            "\(count) \(count == 1 ? "favorite is" : "favorites are") missing in favorites/ and held:"
                + " “apod-mirror favorites restore” restores them, “favorites remove --held” removes"
                + " them")
    }

    /// Records the titles of favorites whose days the mirror has downloaded since.
    func recordTitles() {
        let untitled = stored.favorites.values.filter { $0.title == nil }
        write(untitled.map { mirrored.withTitle($0) }.filter { $0.title != nil })
    }

    /// The requests to forget a favorite that are carried out; the others stay for the next scan.
    private func requests(carriedOutBy survey: Survey) -> Set<Day> {
        survey.scan.forgetRequests.filter { day in
            let isRemoved = stored.favorites[day] == nil
            // An item that was made after the request makes the day a favorite again.
            let isFavoriteAgain = survey.reconciliation.favorites[day] != nil
            return stored.unreadable[day] == nil && (isRemoved || isFavoriteAgain)
        }
    }

    /// Records the directory of a complete scan, so that a later scan of the same directory can remove favorites.
    ///
    /// `last` is the directory that is recorded so far. `areAllWritten` says whether all changed records were written.
    private func recordDirectory(
        of survey: Survey, replacing last: ScannedDirectory?, areAllWritten: Bool
    ) throws(SystemError) {
        guard
            let current = directory(of: survey, replacing: last, areAllWritten: areAllWritten),
            current != last
        else { return }
        // The records of held favorites must be durable before the directory is.
        try flush()
        try store.write(current)
    }

    /// The directory to record after `survey`; `nil` if the recorded one stays.
    private func directory(
        of survey: Survey, replacing last: ScannedDirectory?, areAllWritten: Bool
    ) -> ScannedDirectory? {
        guard let identity = survey.scan.directory, !survey.scan.isPartial else { return nil }
        // In another directory than the last one, favorites without an item are held. All of them must be recorded as held
        // before the directory is recorded, or else the next scan would remove them.
        // mutation test: undecided-folder (see Tests/Mutants)
        let areHeldRecorded = areAllWritten && !survey.reconciliation.hasUndecided
        guard areHeldRecorded || last?.identity == identity else { return nil }
        // If the permissions cannot be read, the recorded ones stay.
        let permissions = try? tree.root.folder(Layout.favorites)?.permissions()
        // Before the favorites are recorded as held that may be in such a folder, it does not count as known. A run that has
        // read only some items has not decided about all favorites.
        let hasDecided = areAllWritten && !survey.classified.isUnfinished
        let unread = hasDecided ? survey.scan.unreadFolders : last?.unread ?? [:]
        return ScannedDirectory(
            identity: identity, permissions: permissions ?? last?.permissions,
            unread: unread.isEmpty ? nil : unread)
    }
}
