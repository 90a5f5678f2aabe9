package import APOD
internal import FoundationEssentials
internal import JSON
internal import Mirror
package import Platform

/// A favorite in the trash, which can be restored.
package struct RemovedFavorite: Hashable, Sendable {
    package let favorite: Favorite
    /// The date of its removal, in UTC; `nil` if the clock did not show a date then.
    package let removed: Day?
}

/// What was read in the trash: the favorites that can be restored, and the errors of the records that cannot be read.
struct TrashContents {
    /// A favorite that was removed several times is as it was the last time.
    var favorites: [Day: RemovedFavorite] = [:]
    var unreadable: [Day: SystemError] = [:]
}

/// Moves removed favorites to the trash and back. They can be restored for `Store.daysInTrash` days.
///
/// The trash has a folder for each day on which something was removed; `Store.trashFolders()` lists the newest folder first.
/// In it are the record of the favorite and its pin, the file that keeps its picture.
extension FavoriteStore {
    /// Moves the record and the pins of a favorite to the trash, on the date of `now`.
    ///
    /// The record in the trash is written first, and the old record is deleted last. If the program ends in between, both
    /// exist, and the day is still a favorite: the next scan removes it, or takes it out of the trash.
    func moveToTrash(_ favorite: Favorite, at now: Date) throws(SystemError) {
        let day = favorite.day
        let folder = try tree.root.makeDirectory(Self.folder)
        let trash = try tree.makeTrashFolder(on: dateOfRemoval(at: now))
        try AtomicFile.publish(
            favorite.json.document, in: trash, as: Store.nameOfRemovedFavorite(day, ".json"),
            through: tree.root.makeDirectory(Layout.incoming))
        // The pins go before the record, because a pin without a record would be taken for a favorite whose record is lost.
        for ending in Layout.pinEndings where try folder.status("\(day)\(ending)") != nil {
            try folder.rename(
                "\(day)\(ending)", to: trash, as: Store.nameOfRemovedFavorite(day, ending))
            // After a power cut, the pin may have both names. Then rename(2) does nothing, and the old name is removed here.
            try folder.remove("\(day)\(ending)")
        }
        try trash.flush()
        try folder.flush()
        try folder.removeDurably(Layout.recordName(of: day))
    }

    /// The date of `now`, or the newest day of APOD if that is later: a clock that is behind must not shorten the time in the
    /// trash.
    ///
    /// If that day cannot be read, or if neither is a day, because a machine without a battery shows the year 1970, it is the
    /// last possible day, which never expires.
    private func dateOfRemoval(at now: Date) -> Day {
        guard let state = try? Store(reading: tree).state() else { return .last }
        return [Day(utcDateOf: now), state.newest].compactMap(\.self).max() ?? .last
    }

    /// The removed favorites that can be restored.
    ///
    /// - Throws: An error of reading the trash or any record in it.
    package func removedFavorites() throws(SystemError) -> [Day: RemovedFavorite] {
        let removed = try readTrash()
        if let error = removed.unreadable.values.first { throw error }
        return removed.favorites
    }

    /// Reads the trash; a record that cannot be read does not prevent that.
    func readTrash() throws(SystemError) -> TrashContents {
        var contents = TrashContents()
        for (date, trash) in try Store(reading: tree).trashFolders() {
            for name in try trash.textNames() {
                guard let day = FileName.day(of: name), contents.favorites[day] == nil,
                    name == Store.nameOfRemovedFavorite(day, ".json")
                else { continue }
                do {
                    contents.favorites[day] = try Self.favorite(of: day, in: trash, as: name).map {
                        RemovedFavorite(favorite: $0, removed: date < .last ? date : nil)
                    }
                } catch  where !error.concernsEveryFile {
                    contents.unreadable[day] = error
                }
            }
        }
        return contents
    }

    /// Takes a favorite out of the trash, because an item in `favorites/` refers to it again.
    ///
    /// The pins of its last removal return to ``folder``, unless `hasPin`. Its other files in the trash are deleted.
    ///
    /// - Returns: The name of the first pin that returned; `nil` if none did.
    func takeOutOfTrash(_ day: Day, hasPin: Bool) throws(SystemError) -> String? {
        let folder = try tree.root.makeDirectory(Self.folder)
        var returned: String?
        for (_, trash) in try Store(reading: tree).trashFolders() {
            let returnsPins = !hasPin && returned == nil
            for ending in Layout.pinEndings {
                let name = Store.nameOfRemovedFavorite(day, ending)
                guard try trash.status(name) != nil else { continue }
                if returnsPins {
                    try trash.rename(name, to: folder, as: "\(day)\(ending)")
                    returned = returned ?? "\(day)\(ending)"
                } else {
                    try trash.remove(name)
                }
            }
            try folder.flush()
            try trash.removeDurably(Store.nameOfRemovedFavorite(day, ".json"))
        }
        return returned
    }
}
