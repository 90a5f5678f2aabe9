package import APOD
internal import FoundationEssentials
internal import JSON
internal import Mirror
package import Platform

/// Removed favorites: their records and pins are in the trash for ``Store/daysOfFavoritesInTrash`` days.
extension FavoriteStore {
    /// Moves the record and the pins to the trash.
    ///
    /// An interruption leaves a favorite or a removed one: while both records exist, it is a favorite.
    func remove(_ favorite: Favorite, at now: Date) throws(SystemError) {
        let folder = try tree.root.makeDirectory(Self.folder)
        let trash = try trash(at: now)
        let day = favorite.day
        let record = Store.nameOfRemovedFavorite(day, ".json")
        try publish(favorite.json.document, in: trash, as: record)
        // A pin without a record is taken for a favorite with a lost record: move the pins first.
        for pin in try Self.pins(of: day, in: folder) {
            try folder.rename(pin, to: trash, as: Self.nameInTrash(of: pin, day))
        }
        try trash.synchronize()
        try folder.synchronize()
        try folder.remove(Layout.record(of: day))
        try folder.synchronize()
    }

    /// The name in the trash of a pin, which is called like its day.
    private static func nameInTrash(of pin: String, _ day: Day) -> String {
        Store.nameOfRemovedFavorite(day, pin.dropFirst("\(day)".count))
    }

    /// The directory for what is removed now; a clock that is behind does not shorten the time in the trash.
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
                    name == Store.nameOfRemovedFavorite(day, ".json")
                else { continue }
                favorites[day] = try ifReadable(Self.favorite(of: day, in: trash, as: name))
            }
        }
        return favorites
    }

    /// Takes the files of a restored favorite out of the trash.
    ///
    /// The pins of its last removal return, unless it `hasPin`; its other pins and its record there are deleted.
    ///
    /// - Returns: The name of the first pin that returned; `nil` if none did.
    func reclaim(_ day: Day, hasPin: Bool) throws(SystemError) -> String? {
        let folder = try tree.root.makeDirectory(Self.folder)
        var first: String?
        for (_, trash) in try Store(reading: tree).trashFolders() {
            let movesPins = !hasPin && first == nil
            for pin in Self.pinNames(of: day) {
                let name = Self.nameInTrash(of: pin, day)
                guard try trash.status(name) != nil else { continue }
                if movesPins {
                    try trash.rename(name, to: folder, as: pin)
                    first = first ?? pin
                } else {
                    try trash.remove(name)
                }
            }
            try folder.synchronize()
            try trash.remove(Store.nameOfRemovedFavorite(day, ".json"))
            try trash.synchronize()
        }
        return first
    }
}
