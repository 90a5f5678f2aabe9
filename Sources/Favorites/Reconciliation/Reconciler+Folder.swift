internal import Mirror
internal import Platform

/// The creation of `favorites/` where it is missing.
extension Reconciler {
    /// Creates `favorites/` with the links of all favorites; those without a link in it are held.
    mutating func recreateFolder() throws(SystemError) {
        let permissions = try store.lastScannedDirectory()?.permissions
        let links = FavoriteLinks(tree: tree)
        let new = try links.prepareFolder(linksOfAll(), permissions)
        // Before the new folder is recorded: what is missing in that one counts as removed.
        guard hold(contents.favorites.values.filter { !new.days.contains($0.day) }) else { return }
        try synchronize()
        let directory = ScannedDirectory(
            place: new.place, permissions: permissions ?? new.permissions, isUnfinished: true)
        try store.write(directory)
        try links.publishFolder()
        if let error = new.failures.first {
            outcome.events.append(.folderLacksLinks(new.failures.count, error))
        } else if !contents.favorites.isEmpty {
            outcome.events.append(.folderRecreated)
        }
        _ = try finishFolder(directory)
    }

    /// Applies the permissions of the former folder to the new one, also after an interruption.
    mutating func finishFolder(
        _ directory: ScannedDirectory
    ) throws(SystemError) -> ScannedDirectory {
        guard let permissions = directory.permissions,
            let folder = try tree.root.folder(Layout.favorites),
            try folder.identityAcrossReboots() == directory.place
        else { return directory }
        let hasPermissions = (try? folder.apply(permissions)) ?? false
        try folder.synchronize()
        var finished = directory
        finished.isUnfinished = false
        try store.write(finished)
        if !hasPermissions {
            outcome.events.append(
                .folderLacksPermissions(
                    path: "\(tree.root.path)/\(Layout.favorites)", permissions))
        }
        return finished
    }

    /// The links of all favorites; a name of several favorites goes to one that is present.
    private func linksOfAll() -> [FavoriteLinks.NewLink] {
        contents.favorites.values
            .sorted { ($0.isMissing ? 1 : 0, $0.day) < ($1.isMissing ? 1 : 0, $1.day) }
            .flatMap { favorite -> [FavoriteLinks.NewLink] in
                let path = (try? files.best(favorite.day)) ?? DayFiles.placeholder(favorite.day)
                return favorite.names.map { (favorite.day, $0, path) }
            }
    }

    /// Holds favorites; returns whether the records of all were written.
    private mutating func hold(_ favorites: [Favorite]) -> Bool {
        let held = favorites.filter { !$0.isHeld }.map { $0.held(at: now) }
        let written = write(held)
        outcome.hasChanges = !written.isEmpty
        if !written.isEmpty { outcome.events.append(.held(written.count)) }
        return written.count == held.count
    }
}
