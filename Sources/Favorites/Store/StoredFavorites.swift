package import APOD
internal import JSON
internal import Mirror
package import Platform

/// All favorites as the disk has them: the records and pins in `.apod-mirror/favorites/` at one moment.
///
/// A pin is a file beside the record that keeps the picture of the favorite.
package struct StoredFavorites: Sendable {
    package var favorites: [Day: Favorite] = [:]
    /// The names of the pins; if a day has several, the alphabetically first one is used.
    package var pins: [Day: String] = [:]
    /// The days whose record was read completely, but is no valid record.
    package var damaged: Set<Day> = []
    /// The days whose record cannot be read now, and why.
    ///
    /// ``favorites`` has what was known of them before, and their records are neither replaced nor removed.
    var unreadable: [Day: SystemError] = [:]
    /// The status of each record when it was read; a record that has changed since, or has none, is read again.
    var statuses: [Day: FileStatus] = [:]

    /// The days with a record, even a damaged one.
    package var days: Set<Day> { Set(favorites.keys).union(damaged).union(unreadable.keys) }

    /// The days of the favorites in each folder inside `favorites/`: `["trip/Norway": [2026-11-20]]`.
    package var collections: [String: Set<Day>] {
        favorites.reduce(into: [:]) { collections, entry in
            // The recorded form is used, because two names that are not UTF-8 can look the same as text.
            for folder in entry.value.names.compactMap(\.folders.last) {
                collections[folder.recorded, default: []].insert(entry.key)
            }
        }
    }

    /// Adds a favorite that this process has just recorded; the next reading reads the record again.
    mutating func insert(_ favorite: Favorite) {
        favorites[favorite.day] = favorite
        statuses[favorite.day] = nil
    }
}

extension FavoriteStore {
    /// In bytes; a hundred of the longest names fit, even if each byte is escaped.
    private static let largestRecord = 4 << 20

    /// Reads the records and pins as they are on the disk now; a record that has not changed since `earlier` is not read again.
    package func storedFavorites(
        updating earlier: StoredFavorites = StoredFavorites()
    ) throws(SystemError) -> StoredFavorites {
        var stored = StoredFavorites()
        guard let folder = try tree.root.folder(Self.folder) else { return stored }
        var days: [Day] = []
        for name in try folder.textNames() {
            guard let day = FileName.day(of: name) else { continue }
            // Only the ending is compared: this runs for thousands of names in each scan, and makes no string for each.
            let ending = name.dropFirst(FileName.dayLength)
            if ending == ".json" {
                days.append(day)
            } else if Layout.pinEndings.contains(ending) {
                stored.pins[day] = min(name, stored.pins[day] ?? name)
            }
        }
        let records = days.mapOnThreads { day in
            Result { () throws(SystemError) in
                try Self.record(of: day, in: folder, updating: earlier)
            }
        }
        for (day, record) in zip(days, records) {
            do {
                guard let record = try record.get() else { continue }
                stored.statuses[day] = record.status
                stored.favorites[day] = record.favorite
                if record.favorite == nil { stored.damaged.insert(day) }
            } catch {
                guard !error.concernsEveryFile else { throw error }
                // The error says nothing about the favorite, so that it stays as it was known.
                stored.favorites[day] = earlier.favorites[day]
                stored.unreadable[day] = error
            }
        }
        return stored
    }

    /// The status of a record and its contents, which are `nil` if the record is damaged.
    ///
    /// - Returns: `nil` if another process has removed the record since its name was read.
    private static func record(
        of day: Day, in folder: Directory, updating earlier: StoredFavorites
    ) throws(SystemError) -> (status: FileStatus, favorite: Favorite?)? {
        let name = Layout.record(of: day)
        guard let status = try folder.status(name) else { return nil }
        if let known = earlier.favorites[day], earlier.statuses[day] == status {
            return (status, known)
        }
        return (status, try favorite(of: day, in: folder, as: name))
    }

    /// Reads the record `name`; `nil` if there is none, or if it is damaged or too large.
    static func favorite(
        of day: Day, in folder: Directory, as name: String
    ) throws(SystemError) -> Favorite? {
        guard let bytes = try ifValid(folder.read(name, limit: largestRecord)) else { return nil }
        let favorite = (try? JSON(parsing: bytes)).flatMap { Favorite($0) }
        return favorite?.day == day ? favorite : nil
    }
}
