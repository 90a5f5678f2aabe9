package import APOD
package import Platform

/// Something that a reconciliation did or found, to be logged.
package enum ReconcileEvent: Hashable, Sendable {
    case added(Day, FavoriteName?)
    case removed(Day)
    /// The number of favorites that are held since this scan.
    case held(Int)

    case folderRecreated
    /// The number of links that could not be created in the recreated folder, and the first error.
    case folderLacksLinks(Int, SystemError)
    /// The recreated folder does not have the permissions of the former one.
    case folderLacksPermissions(path: String, DirectoryPermissions)
    case folderIsNotADirectory
    /// The path is relative to the folder, empty for the folder itself.
    case pathUnreadable(DirectoryListing.UnreadableItem)

    case linkRepaired(FavoriteName, path: String)
    case itemNotRepaired(FavoriteName, SystemError)
    case interruptedMoveUndone(FavoriteName?)
    /// A picture that was moved to `favorites/` is in `pictures/` again.
    case originalReturned(FavoriteName?, path: String)
    case pictureRestored(path: String)
    case pictureNotPinned(Day, SystemError)
    /// It is not known whether the mirror has the picture.
    case pictureNotFound(Day, SystemError)

    case recordDamaged(Day)

    /// Whether the event is a change of the favorites, which is logged each time.
    package var isChange: Bool {
        switch self {
        case .added, .removed: true
        default: false
        }
    }
}

extension ReconcileEvent: CustomStringConvertible {
    /// A sentence for the log.
    package var description: String {
        switch self {
        case .added(let day, let name): "\(day) added to favorites (\(name?.text ?? ""))"
        case .removed(let day): "\(day) removed from favorites"
        case .held(let count):
            "\(count) \(count == 1 ? "favorite is" : "favorites are") missing in favorites/ and held:"
                + " “apod-mirror favorites restore” restores the links, “favorites remove --held”"
                + " removes the favorites"
        case .folderRecreated: "favorites/ was missing: the folder and its links were created again"
        case .folderLacksLinks(let count, let error):
            "favorites/ was missing: the folder was created again, without \(count) of its links:"
                + " \(error)"
        case .folderLacksPermissions(let path, let permissions):
            Self.permissionAdvice(path, permissions)
        case .folderIsNotADirectory:
            "favorites/ is not a directory; move it away, then it is created again with its links"
        case .pathUnreadable(let failure): Self.reason(failure)
        case .linkRepaired(let name, let path): "repaired favorites/\(name.text): leads to \(path)"
        case .itemNotRepaired(let name, let error):
            "\(error): favorites/\(name.text) is not repaired"
        case .interruptedMoveUndone(let name):
            "moved “\(name?.text ?? "")” back to favorites/ after an interruption"
        case .originalReturned(let name?, let path):
            "favorites/\(name.text) was the original of \(path): moved it back and made a link in its place"
        case .originalReturned(nil, let path): "moved the original back to \(path)"
        case .pictureRestored(let path): "\(path) was missing: restored it from the favorites"
        case .pictureNotPinned(let day, let error):
            "\(error): the picture of \(day) is not pinned yet"
        case .pictureNotFound(let day, let error):
            "\(error): it is not known whether the picture of the favorite \(day) is here; it is"
                + " checked again once it can be read"
        case .recordDamaged(let day):
            "the record of the favorite \(day) was damaged: renamed it to \(day).json.damaged and"
                + " wrote a new one"
        }
    }

    private static func permissionAdvice(
        _ path: String, _ permissions: DirectoryPermissions
    ) -> String {
        let group = Account.name(ofGroup: permissions.group)
        let mode = String(permissions.mode, radix: 8)
        return "favorites/ was created again, but the group \(group) may not write to it yet: run"
            + " “chgrp \(group) \(path) && chmod \(mode) \(path)” as root"
    }

    private static func reason(_ failure: DirectoryListing.UnreadableItem) -> String {
        if failure.isTooMuch {
            "favorites/ is too large to scan: no favorite is removed until it has at most"
                + " \(Scan.rules.items) items, \(Scan.rules.folders) folders and"
                + " \(Scan.rules.bytes >> 20) MiB of names and link texts"
        } else if failure.path.isEmpty {
            "\(failure.error): no favorite is removed until it can be read"
        } else {
            "\(failure.error): until it can be read, no favorite is removed whose link was in it or in a"
                + " deleted folder"
        }
    }
}
