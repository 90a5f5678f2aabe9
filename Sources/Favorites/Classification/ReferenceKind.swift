/// What a person left in `favorites/` to say that a day is a favorite.
package enum ReferenceKind: String, Hashable, Sendable, CaseIterable {
    case link
    case hardLink = "hard-link"
    case copy
    /// A `.desktop` file of `Type=Link`.
    case desktop
    /// An internet shortcut of Windows.
    case url
    /// A web address that Safari saved.
    case webloc
    /// The file that macOS writes over SMB in place of a symbolic link.
    case xsym
    /// A `.lnk` of Windows.
    case shortcut
    /// An alias of macOS.
    case alias
    /// A saved page of the day.
    case page
    /// A text that is one date or address.
    case note
    /// A picture whose name tells the date, but whose bytes are not those of the mirror.
    case named

    /// Whether it holds nothing of its own: a command may remove it.
    package var isPointer: Bool {
        switch self {
        case .link, .hardLink, .desktop, .url, .webloc, .xsym, .shortcut, .alias: true
        case .copy, .page, .note, .named: false
        }
    }
}
