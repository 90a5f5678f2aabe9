internal import APOD
package import Platform

/// Why a command on favorites, such as `favorites add`, cannot do something; its text is for the person.
package enum FavoriteError: Error, Hashable, Sendable {
    case invalidDay(String)
    /// To add: a day without a picture, for the reason ``Day/absence(newest:at:)``.
    case notPublished(String)
    case notAFavorite(String)
    /// To restore: neither a held favorite, whose removal was not believed, nor one in the trash.
    case notRestorable(String)
    /// To restore: a favorite that has a link.
    case hasLink(String)
    /// To add: a picture at a path that is not in the mirror.
    case notInMirror(path: String)
    case invalidName(String)
    case nameTaken(FavoriteName)
    /// The type of the file system of `favorites/`, if it is known.
    case linksUnsupported(fileSystem: String?)
    /// The group may write to the folder, if there is one.
    case notPermitted(SystemError, folder: String, group: String?)
    case notADirectory
    case folderMissing
    /// Files in `favorites/` with content of their own, at least one.
    case containsFiles([FavoriteName])
    /// The request to the daemon could not be written.
    case requestFailed(SystemError)
}

extension FavoriteError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidDay(let text):
            "“\(text)” is no day of APOD and no file; use \(DayArgument.expected)"
        case .notPublished(let absence): "\(absence); use another date"
        case .notAFavorite(let text): "“\(text)” is not a favorite; “favorites list” lists all"
        case .notRestorable(let text):
            "“\(text)” is neither a held nor a removed favorite; “favorites list” lists the held ones, “favorites"
                + " restore” those that were removed"
        case .hasLink(let text):
            "“\(text)” is a favorite and still has its link; there is nothing to restore"
        case .invalidName(let text):
            "“\(text)” cannot be the name of a favorite: hidden, temporary and too long names are ignored;"
                + " choose another with --as"
        case .nameTaken(let name):
            "favorites/\(name.text) exists already; rename it, or add the day with another name (--as)"
        case .linksUnsupported(let type):
            "favorites/ is on \(type ?? "a file system"), which has no symbolic links; copy the picture into favorites/, or put a"
                + " text file with the address of its page there"
        case .notADirectory:
            "favorites/ is not a directory; move it away and run the command again"
        case .folderMissing:
            "favorites/ is missing; the daemon, or “apod-mirror run”, creates it again with its links; then run the"
                + " command again"
        case .containsFiles(let names):
            "favorites/\(names[0].text) is a file, not a link\(Self.others(names)); remove it with rm if you"
                + " do not need it"
        case .requestFailed(let error):
            "\(error); run the command as the user of the daemon"
        case .notPermitted(let error, let folder, let group?):
            "\(error): this user may not write to \(folder)/; join the group \(group)"
                + " (“sudo usermod -aG \(group) USER”) and log in again"
        case .notPermitted(let error, let folder, nil):
            "\(error): this user may not write to \(folder)/; run the command as the owner of that folder"
        case .notInMirror(let path):
            "\(path) is not in this mirror; use a picture of it, or --root"
        }
    }

    private static func others(_ names: [FavoriteName]) -> String {
        names.count > 1 ? " (and \(names.count - 1) more)" : ""
    }
}
