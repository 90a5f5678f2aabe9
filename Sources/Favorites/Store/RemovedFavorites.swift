package import APOD
internal import FoundationEssentials
internal import JSON
internal import Mirror
package import Platform

/// Removed favorites: their records and pins are in the trash for ``Store/daysOfFavoritesInTrash`` days.
extension FavoriteStore {
    /// Moves the record and the pins to the trash; an interruption leaves a favorite or a removed one.
    func remove(_ favorite: Favorite, at now: Date) throws(SystemError) {
        let folder = try tree.root.makeDirectory(Self.folder)
        let trash = try trash(at: now)
        let day = favorite.day
        try publish(favorite.json.document, in: trash, as: Store.removedFavorite(day, ".json"))
        // A pin without a record is taken for a favorite with a lost record: move the pins first.
        for pin in try Self.pins(of: day, in: folder) {
            try folder.rename(pin, to: trash, as: Store.removedFavorite(day, pin.dropFirst(10)))
        }
        try trash.synchronize()
        try folder.synchronize()
        try folder.remove(Layout.record(of: day))
        try folder.synchronize()
    }

    /// The directory for what is removed now; a clock that is behind does not shorten the time in the trash.
    private func trash(at now: Date) throws(SystemError) -> Directory {
        let store = Store(reading: tree)
        let today = Day(number: Int((now.timeIntervalSince1970 / 86_400).rounded(.down)))
        let days = [today, try store.state().newest].compactMap(\.self)
        return try store.trashFolder(on: days.max() ?? .first)
    }

    /// The removed favorites that can be restored.
    package func removedFavorites() throws(SystemError) -> [Day: Favorite] {
        var favorites: [Day: Favorite] = [:]
        for (_, trash) in try Store(reading: tree).trashFolders() {
            for name in try trash.textNames() {
                guard let day = FileName.day(of: name), favorites[day] == nil,
                    name == Store.removedFavorite(day, ".json")
                else { continue }
                favorites[day] = try ifReadable(Self.favorite(of: day, in: trash, as: name))
            }
        }
        return favorites
    }

    /// Moves the newest pins of a favorite back from the trash, unless it `hasPin`, and deletes its others
    /// and its record there.
    ///
    /// - Returns: The name of the first pin that was moved; `nil` if none was.
    func reclaim(_ day: Day, hasPin: Bool) throws(SystemError) -> String? {
        let folder = try tree.root.makeDirectory(Self.folder)
        var first: String?
        for (_, trash) in try Store(reading: tree).trashFolders() {
            let movesPins = !hasPin && first == nil
            for pin in Self.pinNames(of: day) {
                let name = Store.removedFavorite(day, pin.dropFirst(10))
                guard try trash.status(name) != nil else { continue }
                if movesPins {
                    try trash.rename(name, to: folder, as: pin)
                    first = first ?? pin
                } else {
                    try trash.remove(name)
                }
            }
            try folder.synchronize()
            try trash.remove(Store.removedFavorite(day, ".json"))
            try trash.synchronize()
        }
        return first
    }
}
