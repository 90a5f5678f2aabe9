internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// Brings the records of favorites up to date with a scan: the main step of ``reconcile(_:checksAll:readLimit:)``.
///
/// A record is written as soon as an item in `favorites/` refers to its day. If no item is left, the favorite is
/// missing for a grace period, then removed: its record and pin are moved to the trash. Where an accident is
/// likely, it is held instead, until a person restores or removes it. ``FavoriteChanges`` decides.
extension Favorites {
    /// Makes a record where it is damaged, or missing beside a pin, which shows that the day was a favorite.
    ///
    /// Its favorite is held, because nothing says whether its items were removed. The damaged record is renamed.
    func repairRecords() {
        var lost = contents.pins.keys.filter {
            contents.favorites[$0] == nil && !contents.damaged.contains($0)
        }
        for day in contents.damaged.sorted() {
            attempt { () throws(SystemError) in
                try store.setAside(day)
                contents.damaged.remove(day)
                lost.append(day)
                outcome.events.append(.recordDamaged(day))
            }
        }
        write(
            lost.sorted().map { day in
                // mutation test: lost-record-is-held
                Favorite(day: day, added: now, names: [], kind: .link, isHeld: true)
            })
    }

    /// Applies the changes that `scan` shows; a missing `favorites/` is first created and scanned again.
    ///
    /// At most `readLimit` bytes of unknown files are read. `nil`: `favorites/` is still missing or unfinished.
    func updateRecords(_ scan: Scan, readLimit: Int) throws(SystemError) -> ClassifiedScan? {
        var scan = scan
        var last = try store.lastScannedDirectory()
        if scan.place == .missing || last?.isUnfinished == true {
            guard try recreateFolder(like: last) else { return nil }
            scan = Scan(of: tree.root)
            last = try store.lastScannedDirectory()
        }
        guard case .folder(let place) = scan.place else { return nil }
        let classified = classify(scan, readLimit: readLimit)
        var requests: Set<Day> = []
        attempt { () throws(SystemError) in requests = try store.forgetRequests() }
        let changes = FavoriteChanges(
            recorded: contents.favorites, references: classified.references,
            proof: ScanProof(of: scan, classified, recorded: contents.favorites, last: last),
            forgetRequests: requests, now: now, uptime: uptime)
        let isWritten = apply(changes)
        removeRequests(requests, changes)
        // The favorites that a new directory lacks must be recorded as held first: they would be removed.
        if !scan.isPartial, isWritten || last?.place == place {
            recordDirectory(place, last: last)
        }
        if let seconds = changes.secondsUntilNextRemoval { scanAgain(within: seconds) }
        if !changes.held.isEmpty { outcome.events.append(.held(count: changes.held.count)) }
        outcome.events += scan.failures.map { .pathUnreadable($0) }
        return classified
    }

    /// Records `place` as the directory of the last full scan: what a later scan of it lacks can be removed.
    private func recordDirectory(_ place: DirectoryIdentity, last: ScannedDirectory?) {
        // Unreadable permissions leave the recorded ones, as do those with IDs unknown in this user namespace.
        let permissions = (try? tree.root.folder(Layout.favorites)?.permissions())?.ifMapped
        let current = ScannedDirectory(
            place: place, permissions: permissions ?? last?.permissions)
        guard current != last else { return }
        attempt { () throws(SystemError) in
            // The records of held favorites must be durable before.
            try flush()
            try store.write(current)
        }
    }

    /// Classifies the items of `scan`; asks for another scan if files are left unread or are still being written.
    private func classify(_ scan: Scan, readLimit: Int) -> ClassifiedScan {
        let classified = ClassifiedScan(
            scan, in: tree, resolver: resolver, recorded: contents.favorites, removed: removed,
            cache: &cache, now: Int(now.timeIntervalSince1970), readLimit: readLimit)
        hasPostponedFiles = !classified.postponedFiles.isEmpty
        if hasPostponedFiles { scanAgain(within: 0) }
        if classified.hasUnsettledFiles { scanAgain(within: Self.settlingDelay) }
        outcome.unrecognized = classified.unrecognized
        outcome.unrecognizedCount = classified.unrecognizedCount
        return classified
    }

    /// Deletes the requests of commands to forget favorites, unless the next scan is to apply them.
    private func removeRequests(_ requests: Set<Day>, _ changes: FavoriteChanges) {
        let kept = requests.filter { day in
            guard contents.favorites[day] != nil else { return false }
            let couldNotBeRemoved = changes.favorites[day] == nil
            // “favorites remove” deletes the links after it has made its request.
            return couldNotBeRemoved || store.isNewRequest(day, now: now)
        }
        if !kept.isEmpty { scanAgain(within: Self.retryDelay) }
        attempt { () throws(SystemError) in
            try store.removeForgetRequests(requests.subtracting(kept))
        }
    }

    /// Writes the changed records, and moves those of removed favorites to the trash.
    ///
    /// - Returns: Whether all changed records were written; a removal that failed is repeated by the next scan.
    private func apply(_ changes: FavoriteChanges) -> Bool {
        let added = Set(changes.added.map(\.day))
        let written = write(
            changes.changed.map { favorite in
                guard added.contains(favorite.day) else { return withTitle(favorite) }
                var favorite = withTimeOfLink(withTitle(favorite))
                // A favorite that returns from the trash is no new one.
                if let removed = removed[favorite.day] {
                    favorite.added = removed.added
                    favorite.unknownMembers = removed.unknownMembers
                }
                return favorite
            })
        outcome.added = changes.added.filter { written.contains($0.day) }
        for favorite in changes.removed {
            attempt { () throws(SystemError) in
                try store.remove(favorite, at: now)
                contents.favorites[favorite.day] = nil
                removed[favorite.day] = favorite
                contents.pins[favorite.day] = nil
                outcome.removed.append(favorite)
                outcome.hasChanges = true
            }
        }
        return written.count == changes.changed.count
    }

    /// The new favorite, added at the time of its link, if that was set: by an import, or by a copy of the mirror.
    ///
    /// A time that was set has whole seconds and is well before the last change of the link: a new link has two
    /// equal times. An old link that was renamed may look the same: its time is right, too, as it was made then.
    private func withTimeOfLink(_ favorite: Favorite) -> Favorite {
        guard favorite.kind == .link, let name = favorite.names.first,
            // A link that cannot be examined any more was added now.
            let status = (try? tree.root.status(name.path)) ?? nil,
            status.exactlyModified == .seconds(status.modified),
            status.exactlyChanged > status.exactlyModified + .seconds(60)
        else { return favorite }
        var favorite = favorite
        // A file system may have a time before the year 0, which cannot be read from a record.
        let modified = Date(timeIntervalSince1970: Double(status.modified))
        favorite.added = min(now, max(.distantPast, modified))
        return favorite
    }

    /// The favorite with the title of the day, if the mirror has it.
    func withTitle(_ favorite: Favorite) -> Favorite {
        guard favorite.title == nil else { return favorite }
        var favorite = favorite
        // A record without a title is valid, too; the next call reads the title again.
        favorite.title = (try? targets.dayRecord(of: favorite.day))??.entry.title
        return favorite
    }
}
