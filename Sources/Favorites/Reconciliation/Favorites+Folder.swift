internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Creates `favorites/` again where it is missing, with the links of all favorites and the permissions of the
/// former folder.
extension Favorites {
    /// Creates `favorites/`, or continues after an interruption; favorites that get no link are held.
    ///
    /// Until the end the folder is recorded as unfinished: what is missing in it does not count as removed.
    /// `last` is the former folder.
    ///
    /// - Returns: `false` if the record of a held favorite could not be written.
    func completeFolder(after last: ScannedDirectory?) throws(SystemError) -> Bool {
        var unfinished = last ?? ScannedDirectory(place: .unknown)
        unfinished.isUnfinished = true
        if unfinished != last { try store.write(unfinished) }
        let permissions = unfinished.permissions
        // Closed to other users until the folder has its permissions.
        let folder = try tree.root.makeDirectory(
            Layout.favorites, mode: permissions == nil ? 0o755 : 0o700)
        let newLinks = linksOfAll()
        let (linkedDays, failures) = try make(newLinks)
        guard hold(contents.favorites.values.filter { !linkedDays.contains($0.day) }) else {
            return false
        }
        try flush()
        try finishFolders(above: newLinks, with: permissions)
        let hasPermissions = permissions.map { (try? folder.apply($0)) ?? false } ?? true
        try folder.flush()
        let place = try folder.identityAcrossReboots()
        let current = try folder.permissions()
        try store.write(
            ScannedDirectory(place: place, permissions: permissions ?? current.ifMapped))
        if let error = failures.first {
            outcome.events.append(.folderLacksLinks(failures.count, error))
        } else if !contents.favorites.isEmpty {
            outcome.events.append(.folderRecreated)
        }
        if let permissions, !hasPermissions {
            outcome.events.append(.folderLacksPermissions(path: folder.path, permissions))
        }
        return true
    }

    private struct NewLink {
        let day: Day
        let name: FavoriteName
        /// Where the link leads, relative to the root.
        let path: String
    }

    /// The links of all favorites, of present ones first: the first link with a name gets it.
    private func linksOfAll() -> [NewLink] {
        contents.favorites.values
            .sorted { ($0.isMissing ? 1 : 0, $0.day) < ($1.isMissing ? 1 : 0, $1.day) }
            .flatMap { favorite -> [NewLink] in
                let path =
                    (try? targets.path(of: favorite.day)) ?? LinkTargets.placeholder(favorite.day)
                return favorite.names.map { NewLink(day: favorite.day, name: $0, path: path) }
            }
    }

    /// Creates `links`; returns the days that have one, and why others could not be created.
    ///
    /// - Throws: An error of the disk, with which all others would fail, too.
    private func make(
        _ links: [NewLink]
    ) throws(SystemError) -> (linkedDays: Set<Day>, failures: [SystemError]) {
        var linkedDays: Set<Day> = []
        var failures: [SystemError] = []
        for link in links {
            do {
                try make(link)
                linkedDays.insert(link.day)
            } catch  where !error.isOfDisk {
                // The name is taken, or the file system has no links.
                failures.append(error)
            }
        }
        return (linkedDays, failures)
    }

    /// Creates `link`, unless it was created before an interruption.
    private func make(_ link: NewLink) throws(SystemError) {
        do {
            try links.make(link.name, to: link.path)
        } catch  where !error.isOfDisk {
            let target = FavoriteLinks.target(link.path, from: link.name)
            guard tree.root.target(bytes: link.name.path) == target else { throw error }
        }
    }

    /// Gives `permissions` to the folders in `favorites/` that contain `links`, and flushes them.
    private func finishFolders(
        above links: [NewLink], with permissions: DirectoryPermissions?
    ) throws(SystemError) {
        // Deepest first: the permissions of a folder may close it to this user.
        let inner = Set(links.flatMap(\.name.folders)).sorted { $0.bytes.count > $1.bytes.count }
        for folder in inner.compactMap({ try? tree.root.folder($0.path) }) {
            if let permissions { _ = try? folder.apply(permissions) }
            try folder.flush()
        }
    }

    /// Holds favorites; returns whether all records were written.
    private func hold(_ favorites: [Favorite]) -> Bool {
        let held = favorites.filter { !$0.isHeld }.map { $0.held(at: now) }
        let written = write(held)
        outcome.hasChanges = !written.isEmpty
        if !written.isEmpty { outcome.events.append(.held(written.count)) }
        return written.count == held.count
    }
}

extension SystemError {
    /// Whether every other file would fail, too.
    fileprivate var isOfDisk: Bool {
        isNoSpace || isReadOnly || isShortage || isCancelled || code == EIO
    }
}
