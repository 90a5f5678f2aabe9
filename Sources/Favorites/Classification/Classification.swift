package import APOD
package import Platform

/// What an item in `favorites/` means, as ``Classifier`` finds out.
package enum Classification: Hashable, Sendable {
    case favorite(Day, ReferenceKind)
    case ignored
    /// The reason says what a user can do about it.
    case unrecognized(String)
    /// The file may be a favorite.
    case unreadable(SystemError)
    /// The file may be a favorite; one of the next scans is to read it.
    case postponed

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

/// A path or an address for the text of a reason: on one line and shortened.
func quoted(_ bytes: some Collection<UInt8>) -> String {
    "“\(String(decoding: bytes, as: UTF8.self).excerpt(120))”"
}

/// The kind of item that makes a day a favorite.
package enum ReferenceKind: String, Hashable, Sendable, CaseIterable {
    case link
    case hardLink = "hard-link"
    case copy
    /// A `.desktop` file of `Type=Link`.
    case desktop
    /// An internet shortcut of Windows.
    case url
    /// A web address saved by Safari.
    case webloc
    /// The file that macOS writes over SMB, or git, instead of a symbolic link.
    case xsym
    /// A `.lnk` file of Windows.
    case shortcut
    /// An alias of macOS.
    case alias
    /// A saved page of the day.
    case page
    /// A text file that holds one date or address.
    case note
    /// A picture with a date in its name and other bytes than the mirror's picture.
    case named
    /// Another picture that the mirror does not have, where a copy of a picture was.
    case edited

    /// Whether the item has no content of its own, so that a command may remove it.
    package var isPointer: Bool {
        switch self {
        case .link, .hardLink, .desktop, .url, .webloc, .xsym, .shortcut, .alias: true
        case .copy, .page, .note, .named, .edited: false
        }
    }
}
