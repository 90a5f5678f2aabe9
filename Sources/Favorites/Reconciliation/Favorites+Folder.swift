internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Creates `favorites/` again where it is missing, with the links of all favorites.
extension Favorites {
    /// Creates `favorites/` with the permissions of `former`, the last folder: it gets its name once it has all links.
    ///
    /// A favorite that gets no link is held: it stays a favorite, although nothing in the folder refers to it.
    func recreateFolder(like former: ScannedDirectory?) throws(SystemError) {
        let storeFolder = try tree.root.makeDirectory(FavoriteStore.folder)
        let name = FavoriteStore.newFolderName
        let folder = try storeFolder.makeDirectory(name)
        let permissions = former?.permissions
        // Without the right to set them, the folder stays as it is, which the last event reports.
        let hasPermissions = try? permissions.map { try folder.apply($0) }
        let (linkedDays, failures) = try createLinks(in: storeFolder, below: name)
        hold(book.favorites.values.filter { !linkedDays.contains($0.day) })
        try flush()
        // Its permissions, also where it has no link of its own.
        try folder.flush()
        try storeFolder.renameDurably(name, to: tree.root, as: Layout.favorites)
        try store.write(
            ScannedDirectory(
                place: try folder.identityAcrossReboots(), permissions: permissions))
        if let error = failures.first {
            outcome.events.append(.folderLacksLinks(count: failures.count, error))
        } else if !book.favorites.isEmpty {
            outcome.events.append(.folderRecreated)
        }
        if let permissions, hasPermissions != true {
            outcome.events.append(
                .folderLacksPermissions(
                    path: "\(tree.root.path)/\(Layout.favorites)", permissions))
        }
    }

    /// Creates the links of all favorites in the directory `top` of `root`; where two had the same name, a present
    /// favorite comes before a missing one.
    ///
    /// - Returns: The days that have a link, and why others could not be created.
    /// - Throws: An error with which all others would fail, too.
    private func createLinks(
        in root: Directory, below top: String
    ) throws(SystemError) -> (linkedDays: Set<Day>, failures: [SystemError]) {
        let favorites = book.favorites.values
            .sorted { ($0.isMissing ? 1 : 0, $0.day) < ($1.isMissing ? 1 : 0, $1.day) }
        var linkedDays: Set<Day> = []
        var failures: [SystemError] = []
        for favorite in favorites where !favorite.names.isEmpty {
            // A record that cannot be read must not stop the others: the link is repaired later.
            let path =
                try ifReadable(targets.path(of: favorite.day))
                ?? LinkTargets.placeholder(favorite.day)
            for name in favorite.names {
                do {
                    try links.make(name, to: path, in: root, below: top)
                } catch  where !error.concernsAllFiles {
                    // The name is taken, by this link before an interruption or by another one.
                    let text = root.target(bytes: Array("\(top)/".utf8) + name.bytes)
                    guard text == FavoriteLinks.target(path, from: name) else {
                        failures.append(error)
                        continue
                    }
                }
                linkedDays.insert(favorite.day)
            }
        }
        return (linkedDays, failures)
    }

    /// Records `favorites` as held; without that, the next scan holds them: the folder is another one.
    private func hold(_ favorites: [Favorite]) {
        let written = write(favorites.filter { !$0.isHeld }.map { $0.held(at: now) })
        if !written.isEmpty { outcome.events.append(.held(count: written.count)) }
    }
}

extension SystemError {
    /// Whether every other file would fail, too: because of the disk or the process.
    fileprivate var concernsAllFiles: Bool {
        isNoSpace || isReadOnly || isShortage || isCancelled || code == EIO
    }
}
