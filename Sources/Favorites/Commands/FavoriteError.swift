package import APOD
package import Platform

/// An error of a command on favorites.
package enum FavoriteError: Error, Hashable, Sendable {
    case noDay(String)
    case noFavorite(String)
    case badName(String)
    case taken(FavoriteName)
    case noFolder
    /// Files in `favorites/` with content of their own.
    case files([FavoriteName])
    case linked(Day, FavoriteName)
    case noList
    case cannotRequest(SystemError)
    /// With the name of the group that may write, if there is one.
    case notPermitted(SystemError, group: String?)
    /// With the path of the file.
    case noMirror(String)
}

extension FavoriteError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noDay(let text):
            "“\(text)” names no day of APOD: give a date (2026-11-20), a path or a web address"
        case .noFavorite(let text): "“\(text)” is no favorite: “favorites list” lists all"
        case .badName(let text): "“\(text)” cannot be a name in favorites/"
        case .taken(let name):
            "favorites/\(name.text) exists already: choose another name with --as"
        case .noFolder:
            "favorites/ is not a folder: move it away and try again"
        case .files(let names):
            "favorites/\(names[0].text) is a file of yours, not a link\(Self.others(names)): remove it"
                + " yourself if you do not need it"
        case .linked(let day, let name):
            "\(day) is in favorites/ (\(name.text)): “favorites remove” takes it out"
        case .noList:
            "this is no list of favorites: give lines of dates, or what “favorites export” printed"
        case .cannotRequest(let error):
            "\(error): nothing was changed; run the command as the user of the daemon, or delete the link:"
                + " the favorite is removed after a minute"
        case .notPermitted(let error, let group?):
            "\(error): this user may not write to favorites/: join the group \(group)"
                + " (“sudo usermod -aG \(group) USER”) and log in again"
        case .notPermitted(let error, nil):
            "\(error): this user may not write to favorites/: run the command as the user of the daemon"
        case .noMirror(let path):
            "\(path) is in no mirror: choose a picture of a mirror, or use --root"
        }
    }

    private static func others(_ names: [FavoriteName]) -> String {
        names.count > 1 ? " (and \(names.count - 1) more)" : ""
    }
}
