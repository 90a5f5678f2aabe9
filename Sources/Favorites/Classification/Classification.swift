package import APOD
package import Platform

/// What an item in `favorites/`, the folder in which a person chooses favorites, means: which day it makes a favorite, if any.
///
/// ``Classifier`` finds that out for each item of a scan. ``ClassifiedScan`` collects the results.
package enum Classification: Hashable, Sendable {
    case favorite(Day, ReferenceKind)
    /// A file that no person chose, such as a hidden one or a sidecar, or a folder: see ``IgnoreRules``.
    case ignored
    case unrecognized(UnrecognizedReason)
    /// It was not read, and may make a favorite; without time to read it, the error is ``SystemError/isCancelled``.
    case unread(SystemError)

    var isUnrecognized: Bool {
        if case .unrecognized = self { true } else { false }
    }
}

/// Why an item in `favorites/` makes its day a favorite.
package enum ReferenceKind: String, Hashable, Sendable, CaseIterable {
    /// A link to a file of this mirror, or to a path such as `/mnt/apod/pictures/2026/2026-11/2026-11-20 M 31.jpg`.
    case link
    /// A file with the inode of a picture or video of the mirror.
    case hardLink = "hard-link"
    /// A file with the contents of a picture or video of the mirror, even if a person edited it since.
    case copy
    /// A small file with the address of a day's page, or with the path of a file of a mirror.
    case shortcut
    /// A picture that the mirror does not have, with a name such as `2026-11-20 edited.jpg`.
    case named

    /// Whether the mirror has everything that the item has, so that a command may remove the item.
    package var isRemovable: Bool { self == .link || self == .hardLink }
}

/// An item in `favorites/` that refers to a day.
package struct FavoriteReference: Hashable, Sendable {
    package let item: ScannedItem
    package let day: Day
    package let kind: ReferenceKind

    package var name: FavoriteName { item.name }
}
