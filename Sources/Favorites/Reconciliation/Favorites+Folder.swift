internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Creates `favorites/` again where it is missing, with the links of all favorites.
extension Favorites {
    /// Creates `favorites/`, or goes on after an interruption, with the permissions of `former`, the last folder.
    ///
    /// A favorite that gets no link is held: it stays a favorite, although nothing in the folder refers to it.
    /// Until the end the folder is recorded as unfinished: what is missing in it does not count as removed.
    ///
    /// - Returns: `false` if the record of a held favorite could not be written, a failure that is in the
    ///   ``outcome``; the next call goes on.
    func recreateFolder(like former: ScannedDirectory?) throws(SystemError) -> Bool {
        var unfinished = former ?? ScannedDirectory(place: .unknown)
        unfinished.isUnfinished = true
        if unfinished != former { try store.write(unfinished) }
        let permissions = unfinished.permissions
        // Closed to other users until the folder has its permissions.
        let folder = try tree.root.makeDirectory(
            Layout.favorites, mode: permissions == nil ? 0o755 : 0o700)
        let newLinks = try linksOfAll()
        let (linkedDays, failures) = try create(newLinks)
        guard hold(contents.favorites.values.filter { !linkedDays.contains($0.day) }) else {
            return false
        }
        try flush()
        try finishFolders(above: newLinks, with: permissions)
        // Without the right to set them, the folder stays as it is, which the last event reports.
        let hasPermissions = try? permissions.map { try folder.apply($0) }
        try folder.flush()
        let current = try folder.permissions().ifMapped
        try store.write(
            ScannedDirectory(
                place: try folder.identityAcrossReboots(), permissions: permissions ?? current))
        if let error = failures.first {
            outcome.events.append(.folderLacksLinks(count: failures.count, error))
        } else if !contents.favorites.isEmpty {
            outcome.events.append(.folderRecreated)
        }
        if let permissions, hasPermissions != true {
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

    /// The links of all favorites; where two had the same name, a present favorite comes before a missing one.
    private func linksOfAll() throws(SystemError) -> [NewLink] {
        let favorites = contents.favorites.values
            .sorted { ($0.isMissing ? 1 : 0, $0.day) < ($1.isMissing ? 1 : 0, $1.day) }
        var links: [NewLink] = []
        for favorite in favorites where !favorite.names.isEmpty {
            // A record that cannot be read must not stop the others: the link is repaired later.
            let path =
                try ifReadable(targets.path(of: favorite.day))
                ?? LinkTargets.placeholder(favorite.day)
            links += favorite.names.map { NewLink(day: favorite.day, name: $0, path: path) }
        }
        return links
    }

    /// Creates `newLinks` unless they exist; returns the days that have one, and why others could not be created.
    ///
    /// - Throws: An error with which all others would fail, too.
    private func create(
        _ newLinks: [NewLink]
    ) throws(SystemError) -> (linkedDays: Set<Day>, failures: [SystemError]) {
        var linkedDays: Set<Day> = []
        var failures: [SystemError] = []
        for link in newLinks {
            do {
                try links.make(link.name, to: link.path)
            } catch  where !error.concernsAllFiles {
                // The name is taken, or the file system has no links.
                let target = FavoriteLinks.target(link.path, from: link.name)
                guard tree.root.target(bytes: link.name.path) == target else {
                    failures.append(error)
                    continue
                }
            }
            linkedDays.insert(link.day)
        }
        return (linkedDays, failures)
    }

    /// Gives `permissions` to the folders in `favorites/` that contain `links`, and flushes them.
    private func finishFolders(
        above links: [NewLink], with permissions: DirectoryPermissions?
    ) throws(SystemError) {
        // Inner folders first: the permissions of a folder may close it to this user.
        let folders = Set(links.flatMap(\.name.folders)).sorted { $0.bytes.count > $1.bytes.count }
        for name in folders {
            // A file or a link may stand in place of a folder, which could not be made.
            guard let folder = try ifReadable(tree.root.folder(name.path)) else { continue }
            if let permissions { _ = try? folder.apply(permissions) }
            try folder.flush()
        }
    }

    /// Records `favorites` as held; returns whether all records were written.
    private func hold(_ favorites: [Favorite]) -> Bool {
        let held = favorites.filter { !$0.isHeld }.map { $0.held(at: now) }
        let written = write(held)
        if !written.isEmpty { outcome.events.append(.held(count: written.count)) }
        return written.count == held.count
    }
}

extension SystemError {
    /// Whether every other file would fail, too: because of the disk or the process.
    fileprivate var concernsAllFiles: Bool {
        isNoSpace || isReadOnly || isShortage || isCancelled || code == EIO
    }
}
