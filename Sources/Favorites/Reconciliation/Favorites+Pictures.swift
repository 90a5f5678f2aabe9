internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// Pins the recorded pictures of favorites, and finds and restores those that the mirror lacks.
///
/// A pin is a hard link to a picture, or a copy, beside the record of its favorite in `.apod-mirror/favorites/`: it
/// stays when the mirror loses the picture. A missing favorite is one without an item in `favorites/`.
extension Favorites {
    /// Records the titles of days that have been mirrored since they became favorites.
    func recordTitles() {
        let withoutTitle = book.favorites.values.filter { $0.title == nil }
        write(withoutTitle.map { targets.withTitle($0) }.filter { $0.title != nil })
    }

    /// Pins the pictures of present favorites that have no pin, the newest days first; with `days`, only of these days.
    ///
    /// A favorite of ``removed`` that has returned leaves the trash, with its pin if it has no new one.
    func pinPictures(of days: Set<Day>? = nil) {
        let present = book.favorites.values.filter { !$0.isMissing }.map(\.day)
            .filter { days?.contains($0) ?? true }
        for day in present.sorted(by: >) where book.pins[day] == nil || removed[day] != nil {
            do throws(SystemError) {
                if book.pins[day] == nil { try pinPicture(of: day) }
                if removed[day] != nil { try reclaim(day) }
            } catch {
                outcome.notices.append("\(error): the picture of \(day) is not pinned yet")
            }
        }
    }

    private func pinPicture(of day: Day) throws(SystemError) {
        guard let path = try targets.mediaPath(in: mirror.record(of: day)) else { return }
        // Even if this fails, the pin may have been made.
        isFlushed = false
        book.pins[day] = try pins.pin(path, of: day)
    }

    private func reclaim(_ day: Day) throws(SystemError) {
        // The new pin must be durable before the old one is deleted.
        try flush()
        let pin = try store.reclaim(day, hasPin: book.pins[day] != nil)
        book.pins[day] = book.pins[day] ?? pin
        removed[day] = nil
    }

    /// Finds the wanted favorites, whose picture a sync is to download.
    ///
    /// A picture that is in a pin or in `favorites/` is copied back at once. A favorite with a pin is checked only if
    /// `checksAll`, or if it was wanted or its items changed: otherwise its picture was there when it was pinned.
    ///
    /// - Returns: The days whose pictures are to be pinned: files were copied back, or the pin was of another file.
    func findWanted(
        _ survey: Survey?, _ wantedBefore: Set<Day>, checksAll: Bool
    ) -> Set<Day> {
        edited = edited.filter { book.favorites[$0.key] != nil }
        let changed = wantedBefore.union(survey?.reconciliation.changed.map(\.day) ?? [])
        let daysToCheck = book.favorites.keys.filter {
            checksAll || book.pins[$0] == nil || changed.contains($0)
        }
        // Threads, because a start checks the favorites of years.
        let found = daysToCheck.mapOnThreads { [targets] in
            (day: $0, files: targets.files(of: $0))
        }
        var unpinned: Set<Day> = []
        for (day, files) in found.sorted(by: { $0.day < $1.day }) {
            do throws(SystemError) {
                if try needsPin(day, files, survey) { unpinned.insert(day) }
            } catch  where error.cause == .shortage {
                // A lack of memory or descriptors is no error of this picture, but a failure of the scan.
                report(error)
            } catch {
                outcome.notices.append(
                    "\(error): it is not known whether the picture of the favorite \(day) is here; it is"
                        + " checked again once it can be read")
            }
        }
        return unpinned
    }

    /// Restores missing files of the favorite `day`, or makes it wanted; returns whether its picture is to be pinned then.
    private func needsPin(
        _ day: Day, _ files: LinkTargets.Files, _ survey: Survey?
    ) throws(SystemError) -> Bool {
        edited[day] = nil
        switch files {
        case .all: return false
        case .allAndOtherPin(let record): return try dropPin(of: record)
        case .notAll:
            guard let record = try mirror.record(of: day) else {
                // Where the date is a day ahead of UTC, NASA may have published tomorrow's picture; no later one.
                if day.number <= now.dayNumber + 1 { outcome.wanted.insert(day) }
                return false
            }
            edited[day] = try targets.editedPath(in: record)
            let isRestored = copyBack(record, from: survey)
            // A picture that cannot be examined may be there.
            if try targets.lacksFile(record) { outcome.wanted.insert(day) }
            return isRestored
        }
    }

    /// Drops the pin of another file than `record` names, if the recorded file is whole, so that it is pinned instead.
    ///
    /// The pin moves into `previous/`, because it may be all that is left of a picture that NASA replaced.
    ///
    /// - Returns: Whether there is no pin now.
    private func dropPin(of record: DayRecord) throws(SystemError) -> Bool {
        let day = record.entry.day
        // The next pin is made when the favorite is present.
        guard let pin = book.pins[day], book.favorites[day]?.isMissing == false,
            let file = record.file(ofPin: pin) ?? record.files.first
        else { return false }
        // The picture may be damaged, and its pin whole.
        // mutation test: whole-before-unpinned
        guard try tree.root.hasContents(of: file, at: file.path) == true else { return false }
        let path = "\(FavoriteStore.folder)/\(pin)"
        let sha256 = try tree.root.openToRead(path).sha256(path: path, limit: Layout.largestFile)
        let previous = try tree.root.makeDirectory(Layout.previous)
        let name = FileName.previous(pin, day: day, sha256: sha256)
        if let size = try previous.status(name)?.size {
            let kept = RecordedFile(path: name, bytes: size, sha256: sha256)
            // A file of that name with other bytes is no copy of the pin, which then stays.
            guard try previous.hasContents(of: kept, at: name) == true else { return false }
            try tree.root.removeDurably(path)
        } else if sha256 == file.sha256 {
            try tree.root.removeDurably(path)
        } else {
            try tree.root.folder(FavoriteStore.folder)?.rename(pin, to: previous, as: name)
            try previous.flush()
        }
        book.pins[day] = nil
        return true
    }

    /// Copies the files of `record` that the mirror lacks back from the pin of its day, else from copies in `favorites/`.
    ///
    /// So a person may move an original to `favorites/`: it is a copy from then on. If retention removed a file, the next
    /// sync records that it is back.
    ///
    /// - Returns: Whether a file was copied back.
    private func copyBack(_ record: DayRecord, from survey: Survey?) -> Bool {
        let day = record.entry.day
        let copies = survey?.classified.references.filter { $0.day == day && $0.item.kind == .file }
        var sources = (copies ?? []).map(\.name.path)
        if let pin = book.pins[day] {
            sources.insert(Array("\(FavoriteStore.folder)/\(pin)".utf8), at: 0)
        }
        var isRestored = false
        attempt { () throws(SystemError) in
            guard let page = try tree.restoreRedirectPage(of: record) else { return }
            outcome.notices.append("\(page) was missing: wrote it again")
        }
        for file in record.allFiles {
            for source in sources {
                attempt { () throws(SystemError) in
                    guard try pins.restore(file, of: record, from: source) else { return }
                    isRestored = true
                    outcome.notices.append(
                        "\(file.path) was missing: restored it from the favorites")
                }
            }
        }
        outcome.changedPictures = outcome.changedPictures || isRestored
        return isRestored
    }
}
