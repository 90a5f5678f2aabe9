internal import APOD
package import Platform

/// An error of a command on favorites.
package enum FavoriteError: Error, Hashable, Sendable {
    case noDay(String)
    case noPicture(DayAbsence)
    case noFavorite(String)
    /// No favorite, or neither held nor removed.
    case notRemoved(String)
    /// A favorite that still has its link.
    case notMissing(String)
    case badName(String)
    case taken(FavoriteName)
    /// With the type of the file system of `favorites/`.
    case noLinks(fileSystem: String)
    case noFolder
    case folderIsMissing
    /// Files in `favorites/` with content of their own.
    case files([FavoriteName])
    case noList
    case cannotRequest(SystemError)
    /// With the path of the folder, and the name of the group that may write to it, if there is one.
    case notPermitted(SystemError, folder: String, group: String?)
    /// With the path of the file.
    case noMirror(String)
}

extension FavoriteError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noDay(let text):
            "“\(text)” is no day of APOD and no file; use \(DayArgument.expected)"
        case .noPicture(let absence): "\(absence); use another date"
        case .noFavorite(let text): "“\(text)” is not a favorite; “favorites list” lists all"
        case .notRemoved(let text):
            "“\(text)” is neither a held nor a removed favorite; “favorites list” lists the held ones, “favorites"
                + " restore” those that were removed"
        case .notMissing(let text):
            "“\(text)” is a favorite and still has its link; there is nothing to restore"
        case .badName(let text):
            "“\(text)” cannot be the name of a favorite: hidden, temporary and too long names are ignored;"
                + " choose another with --as"
        case .taken(let name):
            "favorites/\(name.text) exists already; rename it, or add the day with another name (--as)"
        case .noLinks(let type):
            "favorites/ is on \(type), which has no symbolic links; copy the picture into favorites/, or put a"
                + " shortcut there, such as a text file with the date"
        case .noFolder:
            "favorites/ is not a directory; move it away and run the command again"
        case .folderIsMissing:
            "favorites/ is missing; the daemon, or “apod-mirror run”, creates it again with its links; then run the"
                + " command again"
        case .files(let names):
            "favorites/\(names[0].text) is a file, not a link\(Self.others(names)); remove it with rm if you"
                + " do not need it"
        case .noList:
            "this is not a list of favorites; use dates, one per line, or the output of “favorites export”"
        case .cannotRequest(let error):
            "\(error); nothing was changed; run the command as the user of the daemon, or delete the link:"
                + " the favorite is removed after a minute"
        case .notPermitted(let error, let folder, let group?):
            "\(error): this user may not write to \(folder)/; join the group \(group)"
                + " (“sudo usermod -aG \(group) USER”) and log in again"
        case .notPermitted(let error, let folder, nil):
            "\(error): this user may not write to \(folder)/; run the command as the owner of that folder"
        case .noMirror(let path):
            "\(path) is not in a mirror; use a picture of a mirror, or --root"
        }
    }

    private static func others(_ names: [FavoriteName]) -> String {
        names.count > 1 ? " (and \(names.count - 1) more)" : ""
    }
}
