internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// Pins the pictures of favorites.
///
/// A pin is a reflink of a picture, a hard link to it, or a copy, beside the record of its favorite in `.apod-mirror/favorites/`.
/// It stays when the mirror loses the picture. Only present favorites get one: those to which an item in `favorites/` refers.
extension ReconcileRun {
    /// Pins the pictures of all favorites that have no pin yet.
    func pinPictures() { pinPictures(of: Set(stored.favorites.keys)) }

    /// Pins the pictures of those favorites of `days` that have no pin, the newest days first.
    ///
    /// A present favorite in the trash has returned: it leaves the trash, with its old pin if it has no new one.
    func pinPictures(of days: Set<Day>) {
        for day in days.filter(isPresent).sorted(by: >) {
            do throws(SystemError) {
                if stored.pins[day] == nil { try pinPicture(of: day) }
                if memory.trash[day] != nil { try takeOutOfTrash(day) }
            } catch {
                outcome.notices.append("\(error): the picture of \(day) is not pinned yet")
            }
        }
    }

    private func isPresent(_ day: Day) -> Bool { stored.favorites[day]?.isMissing == false }

    private func pinPicture(of day: Day) throws(SystemError) {
        guard let path = try mirrored.existingMediaPath(in: mirror.record(of: day)) else { return }
        // If the next call fails, it may have made the pin nevertheless.
        memory.isFlushed = false
        memory.stored.pins[day] = try pins.pin(path, of: day)
    }

    // MARK: Outdated pins

    /// Drops the pin of a present favorite, which is not of the picture that `record` names, so that this picture gets a pin.
    ///
    /// - Returns: Whether the pin was dropped. It stays if the picture is damaged, because the pin may be what restores it, or
    ///   if nothing else would keep what the pin keeps.
    func dropOutdatedPin(of record: DayRecord) throws(SystemError) -> Bool {
        let day = record.entry.day
        guard let pin = stored.pins[day], isPresent(day),
            let file = record.file(ofPin: pin) ?? record.files.first
        else { return false }
        // mutation test: whole-before-unpinned (see Tests/Mutants)
        guard try tree.root.hasContents(of: file, at: file.path) else { return false }
        guard try retire(pin, of: day, replacedBy: file) else { return false }
        memory.stored.pins[day] = nil
        return true
    }

    /// Moves `pin` to `previous/`, because it may be all that is left of a picture that NASA has replaced by `file`.
    ///
    /// It is deleted instead if `previous/` has the same bytes already, or if `file` has them. A pin that is no whole picture or
    /// video, as a disk or a program may leave it, moves to `damaged/`.
    ///
    /// - Returns: `false` if the pin stays, because another file has its name in `previous/`.
    private func retire(
        _ pin: String, of day: Day, replacedBy file: RecordedFile
    ) throws(SystemError) -> Bool {
        let path = FavoriteStore.path(ofPin: pin)
        let sha256 = try tree.root.openToRead(path).sha256(path: path, limit: Layout.largestFile)
        let previous = try tree.root.makeDirectory(Layout.previous)
        let name = FileName.archived(pin, day: day, sha256: sha256)
        if let size = try previous.status(name)?.size {
            let kept = RecordedFile(path: name, bytes: size, sha256: sha256)
            guard try previous.hasContents(of: kept, at: name) else { return false }
            try tree.root.removeDurably(path)
        } else if sha256 == file.sha256 {
            try tree.root.removeDurably(path)
        } else if try CheckedFile(tree.root.openToRead(path), path: path) == nil {
            try mirror.moveDamaged(path, of: day)
            outcome.notices.append(
                "the pin of \(day) was damaged: moved it to \(Layout.damaged), and made a new one")
        } else {
            try tree.root.folder(FavoriteStore.folder)?.rename(pin, to: previous, as: name)
            try previous.flush()
        }
        return true
    }
}
