internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// Keeps the pictures of favorites: pins them, restores lost ones, and finds those that must be downloaded.
///
/// A pin is a reflink of a picture, a hard link to it, or a copy, beside the record of its favorite in `.apod-mirror/favorites/`. It
/// stays when the mirror loses the picture. A favorite is present as long as an item in `favorites/` refers to it.
extension Favorites {
    /// Records the titles of favorites whose days the mirror has downloaded since.
    func recordTitles() {
        let withoutTitle = stored.favorites.values.filter { $0.title == nil }
        write(withoutTitle.map { mirrored.withTitle($0) }.filter { $0.title != nil })
    }

    /// Pins the pictures of present favorites that have no pin, the newest days first.
    ///
    /// A present favorite in the trash has returned: it leaves the trash, with its old pin if it has no new one.
    func pinPictures() {
        pinPictures(of: Set(stored.favorites.keys))
    }

    /// Pins the pictures as ``pinPictures()`` does, but only of `days`.
    func pinPictures(of days: Set<Day>) {
        let present = days.filter { stored.favorites[$0]?.isMissing == false }
        for day in present.sorted(by: >) where stored.pins[day] == nil || trash[day] != nil {
            do throws(SystemError) {
                if stored.pins[day] == nil { try pinPicture(of: day) }
                if trash[day] != nil { try takeOutOfTrash(day) }
            } catch {
                outcome.notices.append("\(error): the picture of \(day) is not pinned yet")
            }
        }
    }

    private func pinPicture(of day: Day) throws(SystemError) {
        guard let path = try mirrored.mediaPath(in: mirror.record(of: day)) else { return }
        // If the next call fails, it may have made the pin nevertheless.
        isFlushed = false
        stored.pins[day] = try pins.pin(path, of: day)
    }

    private func takeOutOfTrash(_ day: Day) throws(SystemError) {
        // The new pin must be durable before the old one is deleted.
        try flush()
        let pin = try store.takeOutOfTrash(day, hasPin: stored.pins[day] != nil)
        stored.pins[day] = stored.pins[day] ?? pin
        trash[day] = nil
    }

    /// Restores lost pictures of favorites, and finds the wanted favorites, whose picture a sync must download.
    ///
    /// Unless `checksAll`, a favorite with a pin is checked only if it was wanted before, or if its items changed.
    ///
    /// - Returns: The days whose pictures are to be pinned: files were copied back, or the pin was of another file.
    func findWanted(
        _ survey: Survey?, wantedBefore: Set<Day>, checksAll: Bool
    ) -> Set<Day> {
        editedPictures = editedPictures.filter { stored.favorites[$0.key] != nil }
        let changed = wantedBefore.union(survey?.reconciliation.changed.map(\.day) ?? [])
        let daysToCheck = stored.favorites.keys.filter {
            checksAll || stored.pins[$0] == nil || changed.contains($0)
        }
        // Two threads do this, because the first call after a start checks the favorites of years.
        let found = daysToCheck.mapOnThreads { [mirrored] in
            (day: $0, files: mirrored.files(of: $0))
        }
        var unpinned: Set<Day> = []
        for (day, files) in found.sorted(by: { $0.day < $1.day }) {
            do throws(SystemError) {
                if try restore(day, with: files, from: survey) { unpinned.insert(day) }
            } catch  where error.concernsEveryFile {
                // A lack of memory or descriptors is a failure of the whole scan, which is then repeated.
                addFailure(error)
            } catch {
                outcome.notices.append(
                    "\(error): it is not known whether the picture of the favorite \(day) is here; it is"
                        + " checked again once it can be read")
            }
        }
        return unpinned
    }

    /// Restores missing files of the favorite `day`, or makes it wanted; returns whether its picture is to be pinned.
    ///
    /// `files` says which of its files are there.
    private func restore(
        _ day: Day, with files: MirroredFavorites.Files, from survey: Survey?
    ) throws(SystemError) -> Bool {
        editedPictures[day] = nil
        switch files {
        case .all: return false
        case .allButPinIsOutdated(let record): return try dropPin(of: record)
        case .notAll:
            guard let record = try mirror.record(of: day) else {
                // `now` is a day of UTC. Where the local date is a day ahead, that day may have its picture already.
                if day.number <= now.dayNumber + 1 { outcome.wanted.insert(day) }
                return false
            }
            editedPictures[day] = try mirrored.editedPath(in: record)
            let isRestored = copyBack(record, from: survey)
            if try mirrored.lacksMedia(record) { outcome.wanted.insert(day) }
            return isRestored
        }
    }

    /// Drops a pin that is not of the picture that `record` names, so that this picture gets the pin.
    ///
    /// The dropped pin moves to `previous/`, because it may be all that is left of a picture that NASA has replaced. It is
    /// dropped only if the picture is undamaged.
    ///
    /// - Returns: Whether the pin was dropped.
    private func dropPin(of record: DayRecord) throws(SystemError) -> Bool {
        let day = record.entry.day
        // Only present favorites get a new pin.
        guard let pin = stored.pins[day], stored.favorites[day]?.isMissing == false,
            let file = record.file(ofPin: pin) ?? record.files.first
        else { return false }
        // If the picture is damaged, its pin may be what restores it.
        // mutation test: whole-before-unpinned (see Tests/Mutants)
        guard try tree.root.hasContents(of: file, at: file.path) == true else { return false }
        let path = "\(FavoriteStore.folder)/\(pin)"
        let sha256 = try tree.root.openToRead(path).sha256(path: path, limit: Layout.largestFile)
        let previous = try tree.root.makeDirectory(Layout.previous)
        let name = FileName.previous(pin, day: day, sha256: sha256)
        if let size = try previous.status(name)?.size {
            let kept = RecordedFile(path: name, bytes: size, sha256: sha256)
            // If the name is taken by a file with other bytes, the pin stays, because there is no copy of it.
            guard try previous.hasContents(of: kept, at: name) == true else { return false }
            try tree.root.removeDurably(path)
        } else if sha256 == file.sha256 {
            try tree.root.removeDurably(path)
        } else {
            try tree.root.folder(FavoriteStore.folder)?.rename(pin, to: previous, as: name)
            try previous.flush()
        }
        stored.pins[day] = nil
        return true
    }

    /// Copies the files of `record` that the mirror lacks back from the pin of its day, or else from copies in `favorites/`.
    ///
    /// So a person may move a picture from `pictures/` to `favorites/`: the mirror makes a copy in `pictures/`. If retention
    /// had removed a file, the next sync records that it is back.
    ///
    /// - Returns: Whether a file was copied back.
    private func copyBack(_ record: DayRecord, from survey: Survey?) -> Bool {
        let day = record.entry.day
        let copies = survey?.classified.references.filter { $0.day == day && $0.item.kind == .file }
        var sources = (copies ?? []).map(\.name.path)
        if let pin = stored.pins[day] {
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
