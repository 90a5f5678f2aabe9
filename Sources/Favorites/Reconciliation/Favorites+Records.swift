internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// Brings the records of favorites up to date with a scan: the main step of ``reconcile(_:checksAll:isBrief:didRecord:)``.
///
/// A record is written as soon as an item in `favorites/` refers to its day. If no item is left, the favorite is
/// missing for a grace period, then removed: its record and pin are moved to the trash. Where an accident is
/// likely, it is held instead, until a person restores or removes it. ``Reconciliation`` decides.
extension Favorites {
    /// Applies the changes that `scan` shows; a missing `favorites/` is first created and scanned again.
    func updateRecords(_ scan: Scan, isBrief: Bool) throws(SystemError) -> Survey {
        var scan = scan
        var last = try store.lastScannedDirectory()
        if scan.isMissing {
            try recreateFolder(like: last)
            scan = Scan(of: tree.root)
            // What the new folder lacks is held, even if it has the identity of the last one.
            last?.place = .unknown
        }
        outcome.notices += scan.failures.map(Self.sentence)
        attempt { () throws(SystemError) in try acceptConfirmation(in: &scan) }
        let survey = Survey(
            of: scan, in: mirror, book, known: knownFiles,
            last: last, now: now, uptime: uptime, isOverdue: isBrief ? readingTimer() : nil)
        knownFiles = survey.classified.knownFiles
        outcome.unrecognized = survey.unrecognized
        if survey.classified.isUnfinished { scanAgain(within: 0) }
        if survey.classified.hasUnsettledFiles {
            // A file that is written all the time, such as a log, keeps no disk busy.
            let pause = (scan.duration + elapsed).pauseAfterWork
            scanAgain(within: max(RetryDelay.growingFile, pause) / .seconds(1))
        }
        let isWritten = apply(survey.reconciliation)
        removeRequests(scan.forgetRequests, survey.reconciliation)
        // The favorites that a new directory lacks must be recorded as held first; else the next scan would remove them.
        if let place = scan.place, !scan.isPartial, isWritten || last?.place == place {
            recordDirectory(place, last: last)
        }
        if let seconds = survey.reconciliation.secondsUntilNextRemoval {
            scanAgain(within: seconds)
        }
        return survey
    }

    /// Records `place` as the directory of the last full scan: what a later scan of it lacks can be removed.
    private func recordDirectory(_ place: DirectoryIdentity, last: ScannedDirectory?) {
        // Unreadable permissions leave the recorded ones.
        let permissions = (try? tree.root.folder(Layout.favorites)?.permissions()) ?? nil
        let current = ScannedDirectory(
            place: place, permissions: permissions ?? last?.permissions)
        guard current != last else { return }
        attempt { () throws(SystemError) in
            // The records of held favorites must be durable before.
            try flush()
            try store.write(current)
        }
    }

    /// Deletes the requests of commands to forget favorites that are done.
    ///
    /// A request stays if the removal failed, or if the record could not be read: the next scan needs it.
    private func removeRequests(_ requests: Set<Day>, _ reconciliation: Reconciliation) {
        let done = requests.filter {
            book.unreadable[$0] == nil
                && (book.favorites[$0] == nil || reconciliation.favorites[$0] != nil)
        }
        attempt { () throws(SystemError) in try store.removeForgetRequests(done) }
    }

    /// Writes the changed records, and moves the records of removed favorites to the trash.
    ///
    /// - Returns: Whether all changed records were written; a removal that failed is repeated by the next scan.
    private func apply(_ reconciliation: Reconciliation) -> Bool {
        // Only a favorite that is added may return from the trash.
        if owesTrash || !reconciliation.added.isEmpty { readTrash() }
        setAsideDamagedRecords()
        let written = write(reconciliation.changed.map { completed($0) })
        outcome.added = reconciliation.added.filter { written.contains($0.day) }
        reportHeld(reconciliation.held.count { written.contains($0.day) })
        moveToTrash(reconciliation.removed)
        return written.count == reconciliation.changed.count
    }

    /// Renames damaged records, whose favorites get new ones.
    private func setAsideDamagedRecords() {
        for day in book.damaged.sorted() {
            attempt { () throws(SystemError) in
                try store.setAside(day)
                book.damaged.remove(day)
                outcome.notices.append(
                    "the record of the favorite \(day) was damaged: renamed it, with “.damaged” behind, and"
                        + " wrote a new one")
            }
        }
    }

    /// `favorite` with its title, and with the date and the unknown members of its record in the trash, if it returns.
    private func completed(_ favorite: Favorite) -> Favorite {
        var favorite = targets.withTitle(favorite)
        if book.favorites[favorite.day] == nil, let earlier = removed[favorite.day] {
            favorite.added = earlier.added
            favorite.unknownMembers = earlier.unknownMembers
        }
        return favorite
    }

    private func moveToTrash(_ favorites: [Favorite]) {
        for favorite in favorites {
            owesTrash = true
            attempt { () throws(SystemError) in
                try store.remove(favorite, at: now)
                book.favorites[favorite.day] = nil
                book.pins[favorite.day] = nil
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
        if failure.isTooMuch {
            "favorites/ is too large to scan: no favorite is removed until it has fewer than 100,000"
                + " items, or less if their names are long"
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
