internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Creates and replaces links in `favorites/`, for the daemon and for commands.
///
/// A new link is relative and leads to a file of the mirror. No call follows a link in a path; it fails instead.
struct FavoriteLinks {
    let tree: Tree

    /// Creates the link `name` to `path`, which is relative to the root of the mirror, and the folders that contain the link.
    ///
    /// The link is made in `favoritesFolder`, which is `favorites/` or a new folder that will be renamed to that.
    ///
    /// - Returns: Whether the link is new: an interrupted call may have made the same link before.
    /// - Throws: ``SystemError``; `EEXIST` if something else has the name.
    @discardableResult
    func createLink(
        _ name: FavoriteName, to path: String, in favoritesFolder: String = Layout.favorites
    ) throws(SystemError) -> Bool {
        let parts = [Array(favoritesFolder.utf8)] + name.parts.dropLast()
        let folder = try tree.root.makeSharedDirectory(
            Array(parts.joined(separator: [UInt8(ascii: "/")])))
        let text = Self.text(leadingTo: path, from: name)
        do {
            try folder.symlink(name.last, to: text)
            try folder.flush()
            return true
        } catch  where error.code == EEXIST {
            guard folder.target(bytes: name.last) == text else { throw error }
            return false
        }
    }

    /// Replaces the link `item` by a link to `path`, if the link is still as it was scanned.
    ///
    /// The new link is made under a hidden name, and then renamed, so that after a crash there is the old link or the new one.
    ///
    /// - Returns: `false` if the item has changed since the scan, so that it was left in place.
    func replace(_ item: ScannedItem, withLinkTo path: String) throws(SystemError) -> Bool {
        guard let folder = try tree.root.folder(item.name.folderPath),
            let scannedTarget = item.linkTarget
        else { return false }
        let waiting = Directory.waitingPath(for: item.name.last)
        // A killed process may have left a link there.
        try folder.remove(waiting)
        try folder.symlink(waiting, to: Self.text(leadingTo: path, from: item.name))
        defer { try? folder.remove(waiting) }
        // mutation test: unchanged-item (see Tests/Mutants)
        guard folder.target(bytes: item.name.last) == scannedTarget else { return false }
        try folder.rename(waiting, to: folder, as: item.name.last)
        try folder.flush()
        return true
    }

    /// Whether `item` may be deleted, because it is gone or still as it was scanned.
    func mayDelete(_ item: ScannedItem) throws(SystemError) -> Bool {
        guard let status = try tree.root.status(item.name.path) else { return true }
        // The identity is not compared: on overlayfs, a listing shows another inode than the status of the file.
        guard status.kind == item.kind else { return false }
        return item.kind == .symbolicLink
            ? tree.root.target(bytes: item.name.path) == item.linkTarget
            : status.size == item.size && status.exactlyModified == item.modified
    }

    /// The text of a link: the link `trip/x`, at `favorites/trip/x`, leads to `pictures/…` by `../../pictures/…`.
    private static func text(leadingTo path: String, from name: FavoriteName) -> [UInt8] {
        Array((String(repeating: "../", count: name.parts.count) + path).utf8)
    }
}

extension ReconcileRun {
    // MARK: The links of all favorites

    /// Replaces links that are certainly broken or temporary, see ``MirroredFavorites/linkPath(repairing:)``.
    func repairLinks(_ references: [FavoriteReference]) {
        for reference in references where reference.item.kind == .symbolicLink {
            do {
                guard let path = try mirrored.linkPath(repairing: reference),
                    try links.replace(reference.item, withLinkTo: path)
                else { continue }
                outcome.notices.append(
                    "repaired favorites/\(reference.name.text): leads to \(path)")
            } catch {
                outcome.notices.append(
                    "\(error): favorites/\(reference.name.text) is not repaired")
            }
        }
    }

    // MARK: The folder

    /// The path at which `favorites/` is made again, before it is renamed to its own path.
    static let newFolder = "\(FavoriteStore.folder)/new folder"

    /// Creates `favorites/` and its links again, with the permissions of the `lost` folder, if they are known.
    ///
    /// The folder gets its name when it has all links. If a link cannot be made, its favorite is not lost: the next scan shows
    /// another directory than before, and so holds the favorites that have no link.
    func recreateFolder(like lost: ScannedDirectory?) throws(SystemError) {
        let newPath = Self.newFolder
        // The parent of the new folder is made first, because the mode below is for the new folder alone.
        _ = try tree.root.makeDirectory(FavoriteStore.folder)
        let folder = try tree.root.makeDirectory(newPath, mode: 0o777)
        var missingPermissions = lost?.permissions
        if let permissions = missingPermissions, (try? folder.apply(permissions)) ?? false {
            missingPermissions = nil
        }
        let failures = try createLinks(in: newPath)
        // Each new link flushes the folder with its permissions, but there may be no link.
        try folder.flush()
        try tree.root.renameDurably(newPath, to: tree.root, as: Layout.favorites)
        if !stored.favorites.isEmpty {
            let exceptions = failures.first.map { ", except \(failures.count): \($0)" } ?? ""
            outcome.notices.append(
                "favorites/ was missing: the folder and its links were created again\(exceptions)")
        }
        // This process may not set them. The folder is usable nevertheless, and the notice says what to do.
        if let permissions = missingPermissions {
            let path = "\(tree.root.path)/\(Layout.favorites)"
            outcome.notices.append(Self.notice(aboutFolder: path, lacking: permissions))
        }
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

    /// Creates the links of all favorites in `newFolder`, which is to become `favorites/`.
    ///
    /// If records of two favorites have the same name, a present favorite gets it rather than a missing one.
    ///
    /// - Returns: The errors of links that could not be created.
    /// - Throws: An error that every other link would meet, such as a full disk.
    private func createLinks(in newFolder: String) throws(SystemError) -> [SystemError] {
        let favorites = stored.favorites.values.sorted { $0.day < $1.day }
        let presentFirst = favorites.filter { !$0.isMissing } + favorites.filter(\.isMissing)
        var failures: [SystemError] = []
        for favorite in presentFirst where !favorite.names.isEmpty {
            // If the record of the day cannot be read, the link leads to a missing file until it is repaired.
            let path =
                (try? mirrored.linkPath(to: favorite.day))
                ?? MirroredFavorites.placeholder(favorite.day)
            for name in favorite.linkNames {
                do {
                    try links.createLink(name, to: path, in: newFolder)
                } catch  where !error.concernsAllFiles {
                    failures.append(error)
                }
            }
        }
        return failures
    }
}

extension SystemError {
    /// Whether every other file would meet this error, too, because of the state of the disk or of this process.
    fileprivate var concernsAllFiles: Bool {
        concernsEveryFile || isReadOnly || code == EIO
    }
}
