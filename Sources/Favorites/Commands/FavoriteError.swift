package import APOD
package import Platform

/// Why a command on the favorites cannot be done.
package enum FavoriteError: Error, Hashable, Sendable {
    case noDay(String)
    case noFavorite(String)
    case badName(String)
    case taken(FavoriteName)
    case noFolder
    /// Files in `favorites/` that hold something of their own.
    case files([FavoriteName])
    case linked(Day, FavoriteName)
    case noList
    case mayNotAsk(SystemError)
    /// The group that may write there, where there is one.
    case mayNotWrite(SystemError, group: String?)
    /// The path of a file that lies in no mirror.
    case noMirror(String)
}

extension FavoriteError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noDay(let text):
            "“\(text)” names no day of APOD: give a date (2026-11-20), a path or a web address"
        case .noFavorite(let text): "“\(text)” is no favorite: “favorites list” shows all"
        case .badName(let text): "“\(text)” cannot be a name in favorites/"
        case .taken(let name):
            "favorites/\(name.text) is there already: choose another name with --as"
        case .noFolder:
            "favorites/ is not a folder: move away what stands there, and try again"
        case .files(let names):
            "favorites/\(names[0].text) is a file of yours, not a link\(Self.others(names)): remove it"
                + " yourself if you do not need it"
        case .linked(let day, let name):
            "\(day) is in favorites/ (\(name.text)): “favorites remove” takes it out"
        case .noList:
            "this is no list of favorites: give lines of dates, or what “favorites export” printed"
        case .mayNotAsk(let error):
            "\(error): nothing was changed, because the daemon could not be asked; do it as the user of"
                + " the mirror, or remove the link itself: that is believed after a minute"
        case .mayNotWrite(let error, let group?):
            "\(error): this user may not write to favorites/: be taken into the group \(group)"
                + " (“sudo usermod -aG \(group) USER”) and log in again"
        case .mayNotWrite(let error, nil):
            "\(error): this user may not write to favorites/: do it as the user of the mirror"
        case .noMirror(let path):
            "\(path) lies in no mirror of APOD: choose a picture of one, or name the mirror with --root"
        }
    }

    private static func others(_ names: [FavoriteName]) -> String {
        names.count > 1 ? " (and \(names.count - 1) more)" : ""
    }
}
