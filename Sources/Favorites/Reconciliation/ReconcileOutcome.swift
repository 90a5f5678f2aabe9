package import APOD
package import Platform

/// The result of one reconciliation of `favorites/` with the records.
package struct ReconcileOutcome: Sendable {
    /// All favorites, including those that are held.
    package internal(set) var favorites: [Day: Favorite] = [:]
    /// Whether a record was written or removed.
    package internal(set) var hasChanges = false
    package internal(set) var added: [Favorite] = []
    package internal(set) var removed: [Favorite] = []
    /// The favorites whose picture the mirror does not have: they are downloaded first.
    package internal(set) var wanted: Set<Day> = []
    package internal(set) var unrecognized: [UnrecognizedItem] = []
    /// The seconds until the next scan, if a favorite is missing or something failed.
    package internal(set) var nextScan: Double?
    package internal(set) var events: [ReconcileEvent] = []
    /// Errors of reading and writing, with which single steps failed: the next scan tries again.
    package internal(set) var failures: [SystemError] = []

    /// Whether a picture was copied to `pictures/`.
    package var changedPictures: Bool {
        events.contains { if case .pictureRestored = $0 { true } else { false } }
    }
}

/// Something that ``Favorites`` did or found when it compared `favorites/` with the records, for the log.
///
/// A held favorite is one whose items are gone, but whose removal may be an accident: it stays a favorite.
package enum ReconcileEvent: Hashable, Sendable {
    case added(Favorite)
    case removed(Day)
    /// So many favorites are held from this scan on.
    case held(count: Int)

    /// `favorites/` was missing, and has its links again.
    case folderRecreated
    /// In the recreated folder, some links could not be created: how many, and the first error.
    case folderLacksLinks(count: Int, SystemError)
    /// The recreated folder does not have the permissions of the former one.
    case folderLacksPermissions(path: String, DirectoryPermissions)
    /// The path is relative to the folder, empty for the folder itself.
    case pathUnreadable(DirectoryListing.UnreadableItem)

    case linkRepaired(FavoriteName, path: String)
    case itemNotRepaired(FavoriteName, SystemError)
    /// A missing picture was copied back, from its pin or a copy in `favorites/`.
    case pictureRestored(path: String)
    case pictureNotPinned(Day, SystemError)
    /// It is not known whether the mirror has the picture.
    case pictureNotFound(Day, SystemError)

    case recordDamaged(Day)
    /// The records of removed favorites cannot be read.
    case trashUnreadable(SystemError)

    /// Whether the event is a change of the list of favorites, which the log shows at a higher level.
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
        case .added(let favorite):
            "\(favorite.day) added to favorites (\(favorite.names.first?.text ?? "no name"))"
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
        case .pathUnreadable(let failure): Self.reason(failure)
        case .linkRepaired(let name, let path): "repaired favorites/\(name.text): leads to \(path)"
        case .itemNotRepaired(let name, let error):
            "\(error): favorites/\(name.text) is not repaired"
        case .pictureRestored(let path): "\(path) was missing: restored it from the favorites"
        case .pictureNotPinned(let day, let error):
            "\(error): the picture of \(day) is not pinned yet"
        case .pictureNotFound(let day, let error):
            "\(error): it is not known whether the picture of the favorite \(day) is here; it is"
                + " checked again once it can be read"
        case .recordDamaged(let day):
            "the record of the favorite \(day) was damaged: renamed it, with “.damaged” behind, and"
                + " wrote a new one"
        case .trashUnreadable(let error):
            "\(error): a removed favorite that returns gets a new record until the trash can be read"
        }
    }

    private static func permissionAdvice(
        _ path: String, _ permissions: DirectoryPermissions
    ) -> String {
        let group = Account.name(ofGroup: permissions.group)
        let (mode, path) = (String(permissions.mode, radix: 8), path.shellWord)
        return "favorites/ was created again, but the group \(group) may not write to it yet: run"
            + " “chgrp \(group) \(path) && chmod \(mode) \(path)” as root"
    }

    private static func reason(_ failure: DirectoryListing.UnreadableItem) -> String {
        if failure.isTooMuch {
            "favorites/ is too large to scan: no favorite is removed until it has fewer than 100,000"
                + " items, or less if their names are long"
        } else if failure.path.isEmpty, failure.error.isNotDirectory {
            "favorites/ is not a directory; move it away, then it is created again with its links"
        } else if failure.path.isEmpty {
            "\(failure.error): no favorite is removed until it can be read"
        } else {
            "\(failure.error): until it can be read, no favorite is removed whose link was in it or in a"
                + " deleted folder"
        }
    }
}
