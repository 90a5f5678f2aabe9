package import APOD
internal import FoundationEssentials
internal import JSON
internal import Mirror
package import Platform

/// Removed favorites, which can be restored for `Store.daysInTrash` days.
///
/// Their records and pinned pictures are in the trash of the mirror, which has a folder for each day on which
/// something was removed; `Store.trashFolders()` lists the newest first.
extension FavoriteStore {
    /// Moves the record and the pins of a favorite to the trash.
    ///
    /// The record in the trash is written first and the other one deleted last. While both exist, after an
    /// interruption, the day is a favorite: the next scan removes it, or reclaims its pins.
    func remove(_ favorite: Favorite, at now: Date) throws(SystemError) {
        let day = favorite.day
        let folder = try tree.root.makeDirectory(Self.folder)
        // A clock that is behind does not shorten the time in the trash.
        let days = [Day(utcDateOf: now), try Store(reading: tree).state().newest].compactMap(\.self)
        // Without a battery, the clock may show a time before all days. In the folder of the last day, nothing is deleted.
        let trash = try tree.makeTrashFolder(on: days.max() ?? .last)
        try AtomicFile.publish(
            favorite.json.document, in: trash, as: Store.nameOfRemovedFavorite(day, ".json"),
            through: tree.root.makeDirectory(Layout.incoming))
        // The pins are moved first, because a pin alone is taken for a favorite with a lost record.
        for ending in Self.pinEndings where try folder.status("\(day)\(ending)") != nil {
            try folder.rename(
                "\(day)\(ending)", to: trash, as: Store.nameOfRemovedFavorite(day, ending))
            // A power cut can leave the pin with both names: rename(2) does nothing then.
            try folder.remove("\(day)\(ending)")
        }
        try trash.flush()
        try folder.flush()
        try folder.removeDurably(Layout.record(of: day))
    }

    /// The removed favorites that can be restored; if a day was removed several times, as it was the last time.
    package func removedFavorites() throws(SystemError) -> [Day: Favorite] {
        let removed = try readRemovedFavorites()
        if let error = removed.unreadable.values.first { throw error }
        return removed.favorites
    }

    /// The removed favorites whose records can be read, and the errors of the others.
    func readRemovedFavorites() throws(SystemError) -> (
        favorites: [Day: Favorite], unreadable: [Day: SystemError]
    ) {
        var unreadable: [Day: SystemError] = [:]
        var favorites: [Day: Favorite] = [:]
        for (_, trash) in try Store(reading: tree).trashFolders() {
            for name in try trash.textNames() {
                guard let day = FileName.day(of: name), favorites[day] == nil,
                    name == Store.nameOfRemovedFavorite(day, ".json")
                else { continue }
                do {
                    favorites[day] = try Self.favorite(of: day, in: trash, as: name)
                } catch  where error.cause != .shortage && !error.isCancelled {
                    unreadable[day] = error
                }
            }
        }
        return (favorites, unreadable)
    }

    /// Takes a favorite out of the trash after its links were restored.
    ///
    /// The pins of its last removal return to ``folder``, unless `hasPin` says that it has a new one. Its other files in
    /// the trash are deleted.
    ///
    /// - Returns: The name of the first pin that returned; `nil` if none did.
    func reclaim(_ day: Day, hasPin: Bool) throws(SystemError) -> String? {
        let folder = try tree.root.makeDirectory(Self.folder)
        var returned: String?
        for (_, trash) in try Store(reading: tree).trashFolders() {
            let returnsPins = !hasPin && returned == nil
            for ending in Self.pinEndings {
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
