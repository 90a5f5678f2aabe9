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
