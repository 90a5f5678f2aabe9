internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// Brings the records of favorites up to date with a scan.
extension Favorites {
    /// Recreates records that are damaged, or missing beside a pin, as those of held favorites.
    func repairRecords() {
        for day in contents.damaged.sorted() {
            attempt { () throws(SystemError) in
                try store.setAside(day)
                outcome.events.append(.recordDamaged(day))
            }
        }
        let lost = contents.damaged.union(
            contents.pins.keys.filter { contents.favorites[$0] == nil })
        write(
            lost.sorted().map { day in
                // mutation test: lost-record-is-held
                Favorite(day: day, added: now, names: [], kind: .link, isHeld: true)
            })
        contents.damaged = []
    }

    /// Applies the changes that `scan` shows; a missing `favorites/` is first created and scanned again.
    ///
    /// - Returns: `nil` if `favorites/` is still missing or unfinished.
    func updateRecords(_ scan: Scan, readLimit: Int) throws(SystemError) -> ClassifiedScan? {
        var scan = scan
        var last = try store.lastScannedDirectory()
        if scan.place == .missing || last?.isUnfinished == true {
            guard try completeFolder(after: last) else { return nil }
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
        if let seconds = changes.nextScan { scanAgain(within: seconds) }
        let isWritten = apply(changes)
        removeRequests(requests, changes)
        if isWritten || last?.place == place, !scan.isPartial {
            let permissions = scan.permissions ?? last?.permissions
            record(ScannedDirectory(place: place, permissions: permissions), after: last)
        }
        if !changes.held.isEmpty { outcome.events.append(.held(changes.held.count)) }
        outcome.events += scan.failures.map { .pathUnreadable($0) }
        return classified
    }

    /// Classifies the items of `scan`, and says when the next scan is due for those that are not settled.
    private func classify(_ scan: Scan, readLimit: Int) -> ClassifiedScan {
        let classified = ClassifiedScan(
            scan, in: tree, resolver: resolver, recorded: contents.favorites,
            removed: contents.removed, cache: &cache, now: Int(now.timeIntervalSince1970),
            limit: readLimit)
        hasUnread = classified.hasUnread
        if hasUnread { scanAgain(within: 0) }
        if classified.hasUnsettled { scanAgain(within: Self.settlingDelay) }
        outcome.unrecognized = classified.unrecognized
        outcome.unrecognizedCount = classified.unrecognizedCount
        return classified
    }

    /// Records the scanned directory, unless it is `last`, the recorded one.
    ///
    /// From then on, the directory proves removals: favorites that a new one lacks must be held, durably.
    private func record(_ current: ScannedDirectory, after last: ScannedDirectory?) {
        guard current != last else { return }
        attempt { () throws(SystemError) in
            try flush()
            try store.write(current)
        }
    }

    /// Deletes the forget requests, except those of favorites that could not be removed, and new ones of
    /// favorites that still have links: “favorites remove” deletes the links after its request.
    private func removeRequests(_ requests: Set<Day>, _ changes: FavoriteChanges) {
        let kept = requests.filter { day in
            contents.favorites[day] != nil
                && (changes.favorites[day] == nil || store.isNewRequest(day, now: now))
        }
        if !kept.isEmpty { scanAgain(within: Self.retryDelay) }
        attempt { () throws(SystemError) in
            try store.removeForgetRequests(requests.subtracting(kept))
        }
    }

    /// Writes and removes records; returns whether all changed ones were written.
    private func apply(_ changes: FavoriteChanges) -> Bool {
        let added = Set(changes.added.map(\.day))
        let written = write(
            changes.changed.map { favorite in
                guard added.contains(favorite.day) else { return titled(favorite) }
                return timed(titled(favorite)).continuing(contents.removed[favorite.day])
            })
        for favorite in changes.removed {
            attempt { () throws(SystemError) in
                try store.remove(favorite, at: now)
                contents.favorites[favorite.day] = nil
                contents.removed[favorite.day] = favorite
                contents.pins[favorite.day] = nil
                outcome.removed.append(favorite)
            }
        }
        if !written.isEmpty || !outcome.removed.isEmpty { outcome.hasChanges = true }
        outcome.added = changes.added.filter { written.contains($0.day) }
        return written.count == changes.changed.count
    }

    /// The new favorite with the time of its link, if that was set: by an import, or by a copy of the mirror.
    ///
    /// A time that was set has whole seconds, and is more than a minute before the last change of the link.
    private func timed(_ favorite: Favorite) -> Favorite {
        guard favorite.kind == .link, let name = favorite.names.first,
            let status = (try? tree.root.status(name.path)) ?? nil,
            status.exactlyModified == .seconds(status.modified),
            status.exactlyChanged > status.exactlyModified + .seconds(60)
        else { return favorite }
        var favorite = favorite
        favorite.added = min(now, Date(timeIntervalSince1970: Double(status.modified)))
        return favorite
    }

    /// The favorite with the title of the day, if the mirror has it.
    func titled(_ favorite: Favorite) -> Favorite {
        guard favorite.title == nil else { return favorite }
        var favorite = favorite
        favorite.title = (try? targets.dayRecord(of: favorite.day))??.entry.title
        return favorite
    }
}
