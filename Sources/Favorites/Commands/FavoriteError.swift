/// Why a command on favorites, such as `favorites add`, cannot do something; its text is for the person.
package enum FavoriteError: Error, Hashable, Sendable {
    /// The sentence for the person; no caller tells it from others.
    case refused(String)
    /// To restore: neither a held favorite, whose removal was not believed, nor one in the trash.
    case notRestorable(String)
    /// To restore: a favorite that has a link.
    case hasLink(String)
    case nameTaken(FavoriteName)
    case notADirectory
}

extension FavoriteError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .refused(let sentence): sentence
        case .notRestorable(let text):
            "“\(text)” is neither a held nor a removed favorite; “favorites list” lists the held ones, “favorites"
                + " restore” those that were removed"
        case .hasLink(let text):
            "“\(text)” is a favorite and still has its link; there is nothing to restore"
        case .nameTaken(let name):
            "favorites/\(name.text) exists already; rename it, or add the day with another name (--as)"
        case .notADirectory:
            "favorites/ is not a directory; move it away and run the command again"
        }
    }
}
