package import APOD
package import Platform

/// What an item in `favorites/` means, as ``Classifier`` finds out.
package enum Classification: Hashable, Sendable {
    case favorite(Day, ReferenceKind)
    case ignored
    /// The reason says what a user can do about it.
    case unrecognized(String)
    /// The file may be a favorite; of a file that this scan had no time for, the error says ``SystemError/isCancelled``.
    case unread(SystemError)

    var isUnrecognized: Bool {
        if case .unrecognized = self { true } else { false }
    }
}

/// An item in `favorites/` that refers to a day.
package struct FavoriteReference: Hashable, Sendable {
    package let item: ScannedItem
    package let day: Day
    package let kind: ReferenceKind

    package var name: FavoriteName { item.name }
}

/// An item in `favorites/` that refers to no day; it is left in place.
package struct UnrecognizedItem: Hashable, Sendable {
    package let name: FavoriteName
    /// Follows the name in a sentence: `leads out of the mirror, to …`.
    package let reason: String
    /// Whether the item is not just being written, so that the reason is likely to stay.
    var isSettled = true
}

extension UnrecognizedItem {
    /// The file or the folder `name`, which could not be read.
    init(_ name: FavoriteName, unreadableBy error: SystemError) {
        let advice =
            error.cause == .denied ? ": give the user of the daemon read permission" : ""
        self.init(name: name, reason: "cannot be read (\(error.reason))\(advice)")
    }
}

/// A path or an address for the text of a reason: on one line and shortened.
func quoted(_ bytes: some Collection<UInt8>) -> String {
    "“\(String(decoding: bytes, as: UTF8.self).excerpt(120))”"
}

/// The kind of item that makes a day a favorite.
package enum ReferenceKind: String, Hashable, Sendable, CaseIterable {
    /// A link to a file of this mirror, or to a path that names a day as a mirror does.
    case link
    /// A file with the inode of a picture or video of the mirror.
    case hardLink = "hard-link"
    /// A file with the contents of one.
    case copy
    /// A small file with the address of a day's page, or the path of a file of a mirror.
    case shortcut
    /// A picture of other contents whose name begins with its date, as those of a mirror do.
    case named

    /// Whether the item has nothing of a user's that the mirror lacks, so that a command may remove it.
    package var isRemovable: Bool { self == .link || self == .hardLink }
}
