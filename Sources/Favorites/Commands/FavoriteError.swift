/// Why a command on favorites, such as `favorites add`, cannot do something, as a sentence for the user.
package enum FavoriteError: Error, Hashable, Sendable {
    /// Any cause that no caller has to tell from others, with the sentence.
    case refused(String)
    /// The argument names no day of which `favorites add` could make a favorite.
    case notADay(String)
    /// The argument names no favorite that can be restored: neither one whose link is missing, nor one in the trash.
    case notRestorable(String)
    /// The favorite cannot be restored, because it has a link.
    case hasLink(String)
    /// Something else has the name of the link or of one of its folders.
    case nameTaken(FavoriteName)
    /// Something that is no folder has the path of `favorites/`; a link to a folder is never followed.
    case notADirectory
}

extension FavoriteError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .refused(let sentence): sentence
        case .notADay(let text):
            "“\(text)” is no day of APOD and no file; use \(DayArgument.expected)"
        case .notRestorable(let text):
            "“\(text)” is neither a held nor a removed favorite; “favorites list” lists the held ones, “favorites"
                + " restore” those that were removed"
        case .hasLink(let text):
            "“\(text)” is a favorite and still has its link or file; there is nothing to restore"
        case .nameTaken(let name):
            "favorites/\(name.text) exists already; rename it, or add the day with another name (--as)"
        case .notADirectory:
            "favorites/ is a symbolic link or a file, but must be a folder: move it away, then the folder is created again"
                + " with its links; to keep the folder elsewhere, use “mount --bind” instead of a link"
        }
    }
}
