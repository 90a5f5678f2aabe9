internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// Brings the records of favorites up to date with a scan of `favorites/`: the main step of a reconciliation.
///
/// The record of a favorite is a file that the daemon writes as soon as an item in `favorites/`, such as a link to a picture,
/// refers to the day. If no item is left, the record and the pin move to the trash after a minute. If an accident is likely, the
/// favorite is held instead: it stays until a person restores or removes it. ``Reconciliation`` decides that.
///
/// A step within `attempt` that fails adds its error to the ``outcome``. The other steps go on, and the next scan repeats it.
extension ReconcileRun {
    /// Records the changes that `scan` shows; a missing `favorites/` is first created again and scanned.
    func updateRecords(_ scan: Scan, isBrief: Bool) throws(SystemError) -> Survey {
        var scan = scan
        let lastDirectory = try findLastDirectory(toCompareWith: &scan)
        outcome.notices += scan.failures.map(\.notice)
        attempt { () throws(SystemError) in try acceptConfirmation(in: &scan) }
        let survey = makeSurvey(of: scan, lastDirectory: lastDirectory?.identity, isBrief: isBrief)
        requestNextScan(after: survey)
        let areAllWritten = apply(survey.reconciliation)
        removeRequests(carriedOutBy: survey)
        // In another directory than the last one, favorites without an item are held. All of them must be recorded as held
        // before the directory is recorded, or else the next scan would remove them.
        // mutation test: undecided-folder (see Tests/Mutants)
        let areHeldRecorded = areAllWritten && !survey.reconciliation.hasUndecided
        if let directory = scan.directory, !scan.isPartial,
            areHeldRecorded || lastDirectory?.identity == directory
        {
            recordDirectory(directory, replacing: lastDirectory)
        }
        return survey
    }

    /// Compares `scan` with the records; what it finds out about files is remembered for the next scan.
    private func makeSurvey(
        of scan: Scan, lastDirectory: DirectoryIdentity?, isBrief: Bool
    ) -> Survey {
        let survey = Survey(
            of: scan, in: mirror, comparedWith: memory.stored,
            knownFiles: memory.classifiedFiles, lastFiles: memory.favoriteFiles,
            lastDirectory: lastDirectory, now: now, uptime: uptime,
            readingTime: isBrief ? briefReadingTime : .unlimited)
        memory.classifiedFiles = survey.classified.knownFiles
        memory.favoriteFiles = survey.files(after: memory.favoriteFiles)
        outcome.unrecognized = survey.unrecognized
        return survey
    }

    /// Asks for the next scan, if files were left unread or may still grow, or if a favorite will have been missing long enough.
    private func requestNextScan(after survey: Survey) {
        if survey.classified.isUnfinished { outcome.scanAgain(within: .zero) }
        if survey.classified.hasIncompleteFiles {
            // The pause grows with the work, so that a file that is written all the time does not keep the disk busy.
            let pause = (survey.scan.duration + elapsed).pauseAfterWork
            outcome.scanAgain(within: max(RetryDelay.growingFile, pause))
        }
        if let seconds = survey.reconciliation.secondsUntilNextRemoval {
            outcome.scanAgain(within: .seconds(seconds))
        }
    }

    /// Deletes the requests to forget a favorite that are carried out; the others stay for the next scan.
    private func removeRequests(carriedOutBy survey: Survey) {
        let done = survey.scan.forgetRequests.filter { day in
            let isRemoved = memory.stored.favorites[day] == nil
            // An item that was made after the request makes the day a favorite again.
            let isFavoriteAgain = survey.reconciliation.favorites[day] != nil
            return memory.stored.unreadable[day] == nil && (isRemoved || isFavoriteAgain)
        }
        attempt { () throws(SystemError) in try store.removeForgetRequests(done) }
    }

    // MARK: The scanned directory

    /// The directory of the last complete scan: only in the same one does a missing item show that a favorite was removed.
    ///
    /// If `favorites/` is missing, it is created again, and `scan` becomes a scan of the new folder.
    private func findLastDirectory(
        toCompareWith scan: inout Scan
    ) throws(SystemError) -> ScannedDirectory? {
        let reading = attempt { () throws(SystemError) in try store.lastScannedDirectory() }
        guard var last = reading else {
            scan.isComparable = false
            return nil
        }
        guard scan.place == .nothing else { return last }
        try recreateFolder(like: last)
        scan = Scan(of: tree.root)
        // The new folder may have the identity of the lost one. Favorites without a link in it are held all the same.
        last?.identity = .unknown
        return last
    }

    /// Records `identity` as that of the directory of the last complete scan, so that a later scan of it can remove favorites.
    private func recordDirectory(
        _ identity: DirectoryIdentity, replacing last: ScannedDirectory?
    ) {
        // If the permissions cannot be read, the recorded ones stay.
        let permissions = try? tree.root.folder(Layout.favorites)?.permissions()
        let current = ScannedDirectory(
            identity: identity, permissions: permissions ?? last?.permissions)
        guard current != last else { return }
        attempt { () throws(SystemError) in
            // The records of held favorites must be durable before the directory is.
            try flush()
            try store.write(current)
        }
    }

    // MARK: The records

    /// Writes the changed records, and moves the records of removed favorites to the trash.
    ///
    /// - Returns: Whether all changed records were written; a removal that failed is repeated by the next scan.
    private func apply(_ reconciliation: Reconciliation) -> Bool {
        // A new favorite may be one that returns from the trash.
        if memory.mustReadTrash || !reconciliation.added.isEmpty { readTrash() }
        setAsideDamagedRecords()
        let written = write(reconciliation.changed.map { withEarlierRecord($0) })
        outcome.added = reconciliation.added.filter { written.contains($0.day) }
        reportHeld(reconciliation.held.count { written.contains($0.day) })
        moveToTrash(reconciliation.removed)
        return written.count == reconciliation.changed.count
    }

    private func reportHeld(_ count: Int) {
        guard count > 0 else { return }
        outcome.notices.append(
            "\(count) \(count == 1 ? "favorite is" : "favorites are") missing in favorites/ and held:"
                + " “apod-mirror favorites restore” restores the links, “favorites remove --held”"
                + " removes the favorites")
    }

    /// Records the titles of favorites whose days the mirror has downloaded since.
    func recordTitles() {
        let untitled = memory.stored.favorites.values.filter { $0.title == nil }
        write(untitled.map { mirrored.withTitle($0) }.filter { $0.title != nil })
    }

    /// Renames damaged records, so that their favorites get new ones.
    private func setAsideDamagedRecords() {
        for day in memory.stored.damaged.sorted() {
            attempt { () throws(SystemError) in
                try store.setAside(day)
                memory.stored.damaged.remove(day)
                outcome.notices.append(
                    "the record of the favorite \(day) was damaged: renamed it, with “.damaged” behind, and"
                        + " wrote a new one")
            }
        }
    }

    /// `favorite` with its title; if it returns from the trash, it keeps the date and the unknown members of its record there.
    private func withEarlierRecord(_ favorite: Favorite) -> Favorite {
        var favorite = mirrored.withTitle(favorite)
        let isNew = memory.stored.favorites[favorite.day] == nil
        if isNew, let earlier = memory.trash[favorite.day] {
            favorite.added = earlier.added
            favorite.unknownMembers = earlier.unknownMembers
        }
        return favorite
    }

    // MARK: The trash

    /// Reads the removed favorites in the trash; if that fails, what was known of them stays, and all other steps go on.
    private func readTrash() {
        do {
            let contents = try store.readRemovedFavorites()
            memory.trash = contents.favorites.mapValues(\.favorite)
            memory.mustReadTrash = !contents.unreadable.isEmpty
            for (day, error) in contents.unreadable {
                outcome.notices.append(
                    "\(error): the removed favorite \(day) is not known until that can be read")
            }
        } catch  where error.concernsEveryFile {
            outcome.addFailure(error)
        } catch {
            outcome.notices.append(
                "\(error): a removed favorite that returns gets a new record until the trash can be read"
            )
        }
    }

    private func moveToTrash(_ favorites: [Favorite]) {
        for favorite in favorites {
            memory.mustReadTrash = true
            attempt { () throws(SystemError) in
                try store.moveToTrash(favorite, at: now)
                memory.stored.favorites[favorite.day] = nil
                memory.stored.pins[favorite.day] = nil
                outcome.removed.append(favorite)
                outcome.didChangeRecords = true
            }
        }
    }
}
