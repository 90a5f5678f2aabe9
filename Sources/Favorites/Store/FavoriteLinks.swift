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
        let target = Self.target(leadingTo: path, from: name)
        do {
            try folder.symlink(name.last, to: target)
            try folder.flush()
            return true
        } catch  where error.code == EEXIST {
            guard folder.target(bytes: name.last) == target else { throw error }
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
        try folder.symlink(waiting, to: Self.target(leadingTo: path, from: item.name))
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

    /// The target of a link: the link `trip/x`, at `favorites/trip/x`, leads to `pictures/…` by `../../pictures/…`.
    private static func target(leadingTo path: String, from name: FavoriteName) -> [UInt8] {
        Array((String(repeating: "../", count: name.parts.count) + path).utf8)
    }
}
