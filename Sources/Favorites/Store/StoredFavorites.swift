package import APOD
internal import Platform

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
    /// The status of each valid record when it was read; a record that has changed since, or has none, is read again.
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
