package import APOD
internal import FoundationEssentials
internal import JSON
internal import Mirror
package import Platform

/// Removed favorites, whose records and pins are in the trash for `Store.daysOfFavoritesInTrash` days.
///
/// The trash has a folder for each day on which something was removed.
extension FavoriteStore {
    /// Moves the record and the pins of a favorite to the trash.
    ///
    /// The record in the trash is written first and the other one deleted last: while both exist, after an
    /// interruption, the day is a favorite.
    func remove(_ favorite: Favorite, at now: Date) throws(SystemError) {
        let day = favorite.day
        let folder = try tree.root.makeDirectory(Self.folder)
        let trash = try trash(at: now)
        try publish(favorite.json.document, in: trash, as: Self.recordInTrash(day))
        // A pin without a record is taken for a favorite with a lost record: move the pins first.
        for pin in try Self.pins(of: day, in: folder) {
            try folder.rename(pin, to: trash, as: Self.pinInTrash(pin, day))
        }
        try trash.flush()
        try folder.flush()
        try folder.remove(Layout.record(of: day))
        try folder.flush()
    }

    private static func recordInTrash(_ day: Day) -> String {
        Store.nameOfRemovedFavorite(day, ".json")
    }

    /// The name in the trash of `pin`, which is the day with an extension.
    private static func pinInTrash(_ pin: String, _ day: Day) -> String {
        Store.nameOfRemovedFavorite(day, pin.dropFirst("\(day)".count))
    }

    /// The folder of the trash for removals at `now`; a clock that is behind does not shorten their time there.
    private func trash(at now: Date) throws(SystemError) -> Directory {
        let store = Store(reading: tree)
        let today = Day(number: Int((now.timeIntervalSince1970 / 86_400).rounded(.down)))
        let days = [today, try store.state().newest].compactMap(\.self)
        return try store.trashFolder(on: days.max() ?? .first)
    }

    /// The removed favorites that can be restored; of several removals of a day, the last one.
    package func removedFavorites() throws(SystemError) -> [Day: Favorite] {
        var favorites: [Day: Favorite] = [:]
        for (_, trash) in try Store(reading: tree).trashFolders() {
            for name in try trash.textNames() {
                guard let day = FileName.day(of: name), favorites[day] == nil,
                    name == Self.recordInTrash(day)
                else { continue }
                favorites[day] = try ifReadable(Self.favorite(of: day, in: trash, as: name))
            }
        }
        return favorites
    }

    /// Takes a favorite that was restored out of the trash.
    ///
    /// The pins of its last removal return, unless it `hasPin` already. All else of it in the trash is deleted.
    ///
    /// - Returns: The name of the first pin that returned; `nil` if none did.
    func reclaim(_ day: Day, hasPin: Bool) throws(SystemError) -> String? {
        let folder = try tree.root.makeDirectory(Self.folder)
        var returned: String?
        for (_, trash) in try Store(reading: tree).trashFolders() {
            let returnsPins = !hasPin && returned == nil
            for pin in Self.pinNames(of: day) {
                let name = Self.pinInTrash(pin, day)
                guard try trash.status(name) != nil else { continue }
                if returnsPins {
                    try trash.rename(name, to: folder, as: pin)
                    returned = returned ?? pin
                } else {
                    try trash.remove(name)
                }
            }
            try folder.flush()
            try trash.remove(Self.recordInTrash(day))
            try trash.flush()
        }
        return returned
    }
}
