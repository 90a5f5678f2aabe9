internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Repairs the links in `favorites/`, and creates the folder again, with its links, if it was lost.
extension ReconcileRun {
    /// Replaces links that are certainly broken or temporary, see ``MirroredFavorites/replacementPath(for:)``.
    func repairLinks(_ references: [FavoriteReference]) {
        for reference in references where reference.item.kind == .symbolicLink {
            do {
                guard let path = try mirrored.replacementPath(for: reference),
                    try links.replace(reference.item, withLinkTo: path)
                else { continue }
                outcome.notices.append(
                    "repaired favorites/\(reference.name.text): leads to \(path)")
            } catch {
                let isDenied = error.cause == .denied
                if isDenied { unrepairedLinks.append(reference.name) }
                outcome.notices.append(
                    "\(error): favorites/\(reference.name.text) is not repaired"
                        + (isDenied ? "; let the group of favorites/ write to its folder" : ""))
            }
        }
    }

    // MARK: The lost folder

    /// The path at which `favorites/` is made again, before it is renamed to its own path.
    static let newFolder = "\(FavoriteStore.folder)/new folder"

    /// Creates `favorites/` and its links again, with the permissions of the `lost` folder, if they are known.
    ///
    /// The folder gets its name when it has all links. If a link cannot be made, its favorite is not lost: the next scan shows
    /// another directory than before, and so holds the favorites that have no link.
    ///
    /// - Returns: `false` if something has the name `favorites/` again, such as the folder that was away for a moment.
    func recreateFolder(like lost: ScannedDirectory?) throws(SystemError) -> Bool {
        // The parent of the new folder is made first, because the mode below is for the new folder alone.
        _ = try tree.root.makeDirectory(FavoriteStore.folder)
        // An interrupted call may have left links of favorites that were removed since.
        try removeNewFolder()
        let folder = try tree.root.makeDirectory(Self.newFolder, mode: 0o777)
        // Whether an error or a lack of rights prevents it, the folder is usable, and the notice below says what to do.
        let lacksPermissions = lost?.permissions.map { (try? folder.apply($0)) != true } ?? false
        let links = try createLinksInNewFolder()
        // Each new link flushes the folder with its permissions, but there may be no link.
        try folder.flush()
        do throws(SystemError) {
            try tree.root.renameDurably(Self.newFolder, to: tree.root, as: Layout.favorites)
        } catch  where error.code == EEXIST {
            try removeNewFolder()
            return false
        }
        if !stored.favorites.isEmpty {
            outcome.notices.append(links.notice)
        }
        if lacksPermissions, let permissions = lost?.permissions {
            let path = "\(tree.root.path)/\(Layout.favorites)"
            outcome.notices.append(Self.notice(aboutFolder: path, lacking: permissions))
        }
        return true
    }

    /// Removes ``newFolder``; if it has an item that is not the mirror's, moves it to `aside/`.
    private func removeNewFolder() throws(SystemError) {
        guard try !links.removeFolder(Self.newFolder),
            let path = try mirror.moveToAside(Self.newFolder)
        else { return }
        outcome.notices.append(
            "“\(Self.newFolder)” has items that are not the mirror's: moved it to \(path)")
    }

    /// The notice that the folder at `path` was created again without the `permissions` that it had.
    static func notice(
        aboutFolder path: String, lacking permissions: DirectoryPermissions
    ) -> String {
        let group = Account.name(ofGroup: permissions.group)
        let (mode, path) = (String(permissions.mode, radix: 8), path.shellWord)
        return "favorites/ was created again, but the group \(group) may not write to it yet: run"
            + " “chgrp \(group) \(path) && chmod \(mode) \(path)” as root"
    }

    /// Creates the links of all favorites in ``newFolder``.
    ///
    /// If records of two favorites have the same name, a present favorite gets it rather than a missing one.
    ///
    /// - Throws: An error that every other link would meet, such as a full disk.
    private func createLinksInNewFolder() throws(SystemError) -> RecreatedLinks {
        let favorites = stored.favorites.values.map { $0.withLostNames(at: timer.start) }
            .sorted { $0.day < $1.day }
        let presentFirst = favorites.filter { !$0.isMissing } + favorites.filter(\.isMissing)
        var recreated = RecreatedLinks()
        for favorite in presentFirst where !favorite.names.isEmpty {
            // If the record of the day cannot be read, the link leads to a missing file until it is repaired.
            let path =
                (try? mirrored.linkPath(to: favorite.day))
                ?? MirroredFavorites.placeholder(favorite.day)
            for name in favorite.linkNames.map({ $0.ofLink(to: path) }) {
                do throws(SystemError) {
                    let link = try links.createLink(
                        name, to: path, of: favorite.day, in: Self.newFolder)
                    recreated.hasLinks = true
                    if link.name != name { recreated.hasShortcuts = true }
                } catch {
                    if error.concernsEveryLink { throw error }
                    recreated.failures.append(error)
                }
            }
        }
        return recreated
    }
}

/// What was made in the new `favorites/`, and the errors of links that could not be created.
private struct RecreatedLinks {
    var hasLinks = false
    /// Whether links are shortcuts, because the file system has no symbolic links.
    var hasShortcuts = false
    var failures: [SystemError] = []

    var notice: String {
        if !hasLinks, let error = failures.first {
            return
                "favorites/ was missing: the folder was created again, but none of its links: \(error)"
        }
        let form = hasShortcuts ? " as shortcuts, because the disk has no symbolic links" : ""
        let exceptions = failures.first.map { ", except \(failures.count): \($0)" } ?? ""
        return "favorites/ was missing: the folder and its links were created again" + form
            + exceptions
    }
}

extension SystemError {
    /// Whether every other link would fail, too: as every file, or because the disk is read-only or broken.
    fileprivate var concernsEveryLink: Bool { concernsEveryFile || isReadOnly || code == EIO }
}
