package import APOD
package import Platform

/// What an item in `favorites/` means.
package enum Classification: Hashable, Sendable {
    case favorite(Day, ReferenceKind)
    case ignored
    /// The reason says what a user can do about it.
    case unrecognized(String)
    /// The item may be a favorite.
    case unreadable(SystemError)
    /// The file may be a favorite; one of the next scans reads it.
    case unread

    var isUnrecognized: Bool {
        if case .unrecognized = self { true } else { false }
    }
}

/// An item in `favorites/` that refers to a day.
package struct FavoriteReference: Hashable, Sendable {
    package let name: FavoriteName
    package let day: Day
    package var kind = ReferenceKind.link
    /// Recognizes a file without reading it again; `nil` for an item of which little or nothing is read.
    package var file: KnownFile?
}

/// An item in `favorites/` that refers to no day; it is left in place.
package struct UnrecognizedItem: Hashable, Sendable {
    package let name: FavoriteName
    /// Follows the name in a sentence: `leads out of the mirror, to …`.
    package let reason: String
}
