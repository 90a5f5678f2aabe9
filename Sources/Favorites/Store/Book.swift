package import APOD
internal import Platform

/// The records and pins of favorites, as one listing of `.apod-mirror/favorites/` shows them.
///
/// A pin is a hard link to the picture of a favorite, or a copy, beside its record: it stays when the mirror loses the
/// picture. There is at most one of each for each day.
package struct Book: Sendable {
    package var favorites: [Day: Favorite] = [:]
    /// The names of the pins; of several of a day, the first by name.
    package var pins: [Day: String] = [:]
    /// The days whose record was read, and is none.
    package var damaged: Set<Day> = []
    /// Why records cannot be read now, which are neither replaced nor removed: ``favorites`` has what was known of them.
    var unreadable: [Day: SystemError] = [:]
    /// The files of the records when they were read; `nil` for one that this process has written since.
    var statuses: [Day: FileStatus] = [:]

    /// The days with a record, even a damaged one.
    package var days: Set<Day> { Set(favorites.keys).union(damaged).union(unreadable.keys) }

    /// The days of the favorites in each folder inside `favorites/`, by its path there.
    package var collections: [String: Set<Day>] {
        favorites.reduce(into: [:]) { collections, entry in
            // Two names that are no UTF-8 can have the same text.
            for folder in entry.value.names.compactMap(\.folders.last) {
                collections[folder.recorded, default: []].insert(entry.key)
            }
        }
    }

    /// Records what a process has written: the next ``FavoriteStore/book(after:)`` reads it again.
    mutating func insert(_ favorite: Favorite) {
        favorites[favorite.day] = favorite
        statuses[favorite.day] = nil
    }
}
