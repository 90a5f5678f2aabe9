internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// Brings the records of favorites up to date with a scan: the main step of a reconciliation.
///
/// A record is written as soon as an item in `favorites/` refers to its day. If no item is left, the favorite is
/// missing for a minute, and then removed: its record and its pin are moved to the trash. If an accident is
/// likely, the favorite is held instead, until a person restores or removes it. ``Reconciliation`` decides that.
extension ReconcileRun {
    /// Records the changes that `scan` shows; a missing `favorites/` is first created again and scanned.
    func updateRecords(_ scan: Scan, isBrief: Bool) throws(SystemError) -> Survey {
        var scan = scan
        var lastDirectory: ScannedDirectory?
        attempt { () throws(SystemError) in
            scan.isComparable = false
            lastDirectory = try store.lastScannedDirectory()
            scan.isComparable = true
        }
        if scan.place == .nothing, scan.isComparable {
            try recreateFolder(like: lastDirectory)
            scan = Scan(of: tree.root)
            // The new folder may have the identity of the old one. Favorites without a link in it are held all the same.
            lastDirectory?.place = .unknown
        }
        outcome.notices += scan.failures.map(Self.sentence)
        attempt { () throws(SystemError) in try acceptConfirmation(in: &scan) }
        let survey = Survey(
            of: scan, in: mirror, comparedWith: stored, knownFiles: memory.classifiedFiles,
            lastFiles: memory.favoriteFiles, lastDirectory: lastDirectory?.place, now: now,
            uptime: uptime,
            readingTime: isBrief ? briefReadingTime : .unlimited)
        memory.classifiedFiles = survey.classified.knownFiles
        memory.favoriteFiles = survey.files(after: memory.favoriteFiles)
        outcome.unrecognized = survey.unrecognized
        if survey.classified.isUnfinished { outcome.scanAgain(within: 0) }
        if survey.classified.hasIncompleteFiles {
            // The pause grows with the work, so that a file that is written all the time does not keep the disk busy.
            let pause = (scan.duration + elapsed).pauseAfterWork
            outcome.scanAgain(within: max(RetryDelay.growingFile, pause) / .seconds(1))
        }
        let isWritten = apply(survey.reconciliation)
        removeRequests(scan.forgetRequests, survey.reconciliation)
        // In another directory than the last one, favorites without an item are held. All of them must be recorded as held
        // before the directory is recorded, or else the next scan would remove them.
        // mutation test: undecided-folder (see Tests/Mutants)
        let areHeld = isWritten && !survey.reconciliation.hasUndecided
        if let directory = scan.directory, !scan.isPartial,
            areHeld || lastDirectory?.place == directory
        {
            recordDirectory(directory, replacing: lastDirectory)
        }
        if let seconds = survey.reconciliation.secondsUntilNextRemoval {
            outcome.scanAgain(within: seconds)
        }
        return survey
    }

    /// Records `place` as the directory of the last complete scan, so that a later scan of it can remove favorites.
    private func recordDirectory(_ place: DirectoryIdentity, replacing last: ScannedDirectory?) {
        // If the permissions cannot be read, the recorded ones stay.
        let permissions = (try? tree.root.folder(Layout.favorites)?.permissions()) ?? nil
        let current = ScannedDirectory(
            place: place, permissions: permissions ?? last?.permissions)
        guard current != last else { return }
        attempt { () throws(SystemError) in
            // The records of held favorites must be durable before the directory is.
            try flush()
            try store.write(current)
        }
    }

    /// Deletes the requests to forget a favorite that are carried out; the others stay for the next scan.
    private func removeRequests(_ requests: Set<Day>, _ reconciliation: Reconciliation) {
        let done = requests.filter {
            stored.unreadable[$0] == nil
                && (stored.favorites[$0] == nil || reconciliation.favorites[$0] != nil)
        }
        attempt { () throws(SystemError) in try store.removeForgetRequests(done) }
    }

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

    /// Records the titles of favorites whose days the mirror has downloaded since.
    func recordTitles() {
        let withoutTitle = stored.favorites.values.filter { $0.title == nil }
        write(withoutTitle.map { mirrored.withTitle($0) }.filter { $0.title != nil })
    }

    /// Renames damaged records, so that their favorites get new ones.
    private func setAsideDamagedRecords() {
        for day in stored.damaged.sorted() {
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
        if stored.favorites[favorite.day] == nil, let earlier = memory.trash[favorite.day] {
            favorite.added = earlier.added
            favorite.unknownMembers = earlier.unknownMembers
        }
        return favorite
    }

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
        } catch {
            guard !error.concernsEveryFile else { return outcome.addFailure(error) }
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
                outcome.hasChanges = true
            }
        }
    }

    // MARK: Notices

    private func reportHeld(_ count: Int) {
        guard count > 0 else { return }
        outcome.notices.append(
            "\(count) \(count == 1 ? "favorite is" : "favorites are") missing in favorites/ and held:"
                + " “apod-mirror favorites restore” restores the links, “favorites remove --held”"
                + " removes the favorites")
    }

    private static func sentence(about failure: DirectoryListing.UnreadableItem) -> String {
        if failure.isBeyondLimit {
            "favorites/ is too large to scan: no favorite is removed until it has fewer than 100,000 items"
        } else if failure.path.isEmpty, failure.error.isNotDirectory {
            "favorites/ is not a directory; move it away, then it is created again with its links"
        } else if failure.path.isEmpty {
            "\(failure.error): no favorite is removed until it can be read"
        } else if failure.isUnknownItem {
            "\(failure.error): until it can be read, no favorite is removed whose link or file may have got this name"
        } else {
            "\(failure.error): until it can be read, no favorite is removed whose link was in it or in a"
                + " deleted folder"
        }
    }
}
