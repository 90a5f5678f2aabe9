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
        // A clock that is behind must not shorten the time in the trash: the newest day of APOD counts, too. If it cannot be read,
        // or if neither is a day, because a machine without a battery shows the year 1970, the last possible day is used, which
        // never expires.
        let state = try? Store(reading: tree).state()
        let days = [Day(utcDateOf: now), state == nil ? .last : state?.newest].compactMap(\.self)
        let trash = try tree.makeTrashFolder(on: days.max() ?? .last)
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

    /// The removed favorites that can be restored.
    ///
    /// A favorite that was removed several times is as it was the last time.
    ///
    /// - Throws: An error of reading the trash or any record in it.
    package func removedFavorites() throws(SystemError) -> [Day: RemovedFavorite] {
        let removed = try readRemovedFavorites()
        if let error = removed.unreadable.values.first { throw error }
        return removed.favorites
    }

    /// The removed favorites whose records can be read, and the errors of the others.
    func readRemovedFavorites() throws(SystemError) -> (
        favorites: [Day: RemovedFavorite], unreadable: [Day: SystemError]
    ) {
        var unreadable: [Day: SystemError] = [:]
        var favorites: [Day: RemovedFavorite] = [:]
        for (date, trash) in try Store(reading: tree).trashFolders() {
            for name in try trash.textNames() {
                guard let day = FileName.day(of: name), favorites[day] == nil,
                    name == Store.nameOfRemovedFavorite(day, ".json")
                else { continue }
                do {
                    favorites[day] = try Self.favorite(of: day, in: trash, as: name).map {
                        RemovedFavorite(favorite: $0, removed: date < .last ? date : nil)
                    }
                } catch  where !error.concernsEveryFile {
                    unreadable[day] = error
                }
            }
        }
        return (favorites, unreadable)
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
