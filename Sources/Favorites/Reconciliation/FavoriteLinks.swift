internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Creates and replaces links in `favorites/`, for the daemon and for commands.
///
/// A new link is relative and leads to a file of the mirror. No path is followed through a link.
struct FavoriteLinks {
    let tree: Tree

    /// Creates the link `name` to `path`, which is relative to the root of the mirror, and the folders above it.
    ///
    /// The link is in the folder `top` of the mirror, which is or becomes `favorites/`.
    ///
    /// - Returns: Whether it is new; the same link may exist, as after an interruption.
    /// - Throws: ``SystemError``; `EEXIST` if something else has the name.
    @discardableResult
    func make(
        _ name: FavoriteName, to path: String, below top: String = Layout.favorites
    ) throws(SystemError) -> Bool {
        let parts = [Array(top.utf8)] + name.parts.dropLast()
        let folder = try tree.root.makeSharedDirectory(
            Array(parts.joined(separator: [UInt8(ascii: "/")])))
        let target = Self.target(path, from: name)
        do {
            try folder.symlink(name.last, to: target)
            try folder.flush()
            return true
        } catch  where error.code == EEXIST {
            guard folder.target(bytes: name.last) == target else { throw error }
            return false
        }
    }

    /// Replaces `item`, a link, if it is still the scanned one, by a link to `path`.
    ///
    /// The new link has a hidden name, which no scan lists, until one rename(2): a crash leaves the old link or the new one.
    ///
    /// - Returns: `false` if another item has its place by now, which stays.
    func replace(_ item: ScannedItem, withLinkTo path: String) throws(SystemError) -> Bool {
        guard let folder = try tree.root.folder(item.name.folderPath),
            let scannedTarget = item.linkTarget
        else { return false }
        let waiting = Directory.waitingPath(for: item.name.last)
        // A killed process may have left one.
        try folder.remove(waiting)
        try folder.symlink(waiting, to: Self.target(path, from: item.name))
        defer { try? folder.remove(waiting) }
        // mutation test: unchanged-item
        guard folder.target(bytes: item.name.last) == scannedTarget else { return false }
        try folder.rename(waiting, to: folder, as: item.name.last)
        try folder.flush()
        return true
    }

    /// Whether `item` is still the scanned one, or gone, so that it may be deleted.
    func isUnchanged(_ item: ScannedItem) throws(SystemError) -> Bool {
        guard let status = try tree.root.status(item.name.path) else { return true }
        // The identity is not compared: on overlayfs, a listing has another one than the file.
        guard status.kind == item.kind else { return false }
        return item.kind == .symbolicLink
            ? tree.root.target(bytes: item.name.path) == item.linkTarget
            : status.size == item.size && status.exactlyModified == item.modified
    }

    /// The text of a link: `trip/x`, which is `favorites/trip/x`, leads to `pictures/…` by `../../pictures/…`.
    private static func target(_ path: String, from name: FavoriteName) -> [UInt8] {
        Array((String(repeating: "../", count: name.parts.count) + path).utf8)
    }
}

// MARK: The links of all favorites

extension Favorites {
    /// Replaces links that are certainly broken or temporary, see ``LinkTargets/path(repairing:)``; errors become notices.
    func repairLinks(_ references: [FavoriteReference]) {
        for reference in references where reference.item.kind == .symbolicLink {
            do {
                guard let path = try targets.path(repairing: reference),
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

    /// Creates `favorites/` with the permissions of `former`, the last folder, or those that the umask leaves.
    ///
    /// The folder gets its name once it has all links. A favorite that gets no link stays one: the scan that follows holds
    /// what another directory than the last one lacks.
    func recreateFolder(like former: ScannedDirectory?) throws(SystemError) {
        let newPath = FavoriteStore.newFolder
        // The directory around it is the mirror's own.
        _ = try tree.root.makeDirectory(FavoriteStore.folder)
        let folder = try tree.root.makeDirectory(newPath, mode: 0o777)
        let permissions = former?.permissions
        // A process that may not set the permissions leaves the folder as it is, and advises the user below.
        let hasPermissions = try? permissions.map { try folder.apply($0) }
        let failures = try createLinks(below: newPath)
        // The flush of a link includes the permissions, but there may be no link.
        try folder.flush()
        try tree.root.renameDurably(newPath, to: tree.root, as: Layout.favorites)
        if !book.favorites.isEmpty {
            let exception = failures.first.map { ", except \(failures.count): \($0)" } ?? ""
            outcome.notices.append(
                "favorites/ was missing: the folder and its links were created again\(exception)")
        }
        if let permissions, hasPermissions != true {
            let path = "\(tree.root.path)/\(Layout.favorites)"
            outcome.notices.append(Self.advice(forFolder: path, lacking: permissions))
        }
    }

    /// The sentence about a folder that was created again at `path` without `permissions`.
    static func advice(forFolder path: String, lacking permissions: DirectoryPermissions) -> String
    {
        let group = Account.name(ofGroup: permissions.group)
        let (mode, path) = (String(permissions.mode, radix: 8), path.shellWord)
        return "favorites/ was created again, but the group \(group) may not write to it yet: run"
            + " “chgrp \(group) \(path) && chmod \(mode) \(path)” as root"
    }

    /// Creates the links of all favorites in the folder `top` of the mirror.
    ///
    /// Present favorites come first, because two favorites may have had the same name.
    ///
    /// - Returns: Why some could not be created.
    /// - Throws: An error with which all others would fail, too.
    private func createLinks(below top: String) throws(SystemError) -> [SystemError] {
        let favorites = book.favorites.values
            .sorted { ($0.isMissing ? 1 : 0, $0.day) < ($1.isMissing ? 1 : 0, $1.day) }
        var failures: [SystemError] = []
        for favorite in favorites where !favorite.names.isEmpty {
            // A record that cannot be read must not stop the others: the link is repaired later.
            let path =
                (try? targets.path(of: favorite.day)) ?? LinkTargets.placeholder(favorite.day)
            for name in favorite.names {
                do {
                    try links.make(name, to: path, below: top)
                } catch  where !error.concernsAllFiles {
                    failures.append(error)
                }
            }
        }
        return failures
    }
}

extension SystemError {
    /// Whether every other file would fail, too: because of the disk or the process.
    fileprivate var concernsAllFiles: Bool {
        cause == .shortage || isReadOnly || isCancelled || code == EIO
    }
}
