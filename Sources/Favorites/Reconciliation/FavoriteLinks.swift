internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Creates and replaces links in `favorites/`.
///
/// Links are relative and lead to files. No path is followed through a link, and an item is replaced only
/// if it is still the scanned one.
struct FavoriteLinks {
    let tree: Tree

    /// The folder in which a new link is exchanged for the item that it replaces.
    ///
    /// After an interruption it may contain an item of a user, which the next scan moves back.
    static let moving = FavoriteStore.folder + "/moving"

    /// The text of a link called `name` to `path`, which is relative to the root.
    static func target(_ path: String, from name: FavoriteName) -> [UInt8] {
        Array((String(repeating: "../", count: name.parts.count) + path).utf8)
    }

    /// Creates the link `name` and the folders above it; fails with `EEXIST` if the name is taken.
    func make(_ name: FavoriteName, to path: String) throws(SystemError) {
        let folder = try tree.root.makeSharedDirectory(name.folderPath)
        try folder.symlink(name.last, to: Self.target(path, from: name))
        try folder.synchronize()
    }

    /// Replaces `item` by a link to `path` atomically.
    ///
    /// The item is moved to ``moving``, and `dispose` deletes it or moves it on. In a folder of another file
    /// system only links can be replaced: the new link has a hidden name beside `item` for an instant, which
    /// no scan lists if an interruption leaves it.
    ///
    /// - Returns: `false` if another item has the name by now, which is left in place.
    func replace(
        _ item: ScannedItem, with path: String,
        _ dispose: (_ moving: Directory, _ name: [UInt8]) throws(SystemError) -> Void = {
            moving, name throws(SystemError) in try moving.remove(name)
        }
    ) throws(SystemError) -> Bool {
        guard let folder = try tree.root.folder(item.name.folderPath) else { return false }
        let name = item.name.last
        // mutant: unchanged-item
        guard try isUnchanged(item, name, in: folder) else { return false }
        let moving = try tree.root.makeDirectory(Self.moving)
        let target = Self.target(path, from: item.name)
        try moving.symlink(name, to: target)
        do {
            guard try exchange(moving, folder, item, target, as: name) else { return false }
        } catch  where error.code == EXDEV && item.kind == .symbolicLink {
            let hidden = Array(".apod-mirror-\(UInt64.random(in: .min ... .max))".utf8)
            try folder.symlink(hidden, to: target)
            guard try exchange(folder, folder, item, target, as: hidden) else { return false }
            try folder.remove(hidden)
            try folder.synchronize()
            return true
        }
        try folder.synchronize()
        try dispose(moving, name)
        return true
    }

    /// Exchanges the new link, called `spare` in `moving`, with `item` in `folder`.
    ///
    /// - Returns: `false` if another item has the name by now; the exchange is undone.
    /// - Throws: ``SystemError``; the item of the user is in the folder, or in ``moving`` for the next scan.
    func exchange(
        _ moving: Directory, _ folder: Directory, _ item: ScannedItem, _ target: [UInt8],
        as spare: [UInt8]
    ) throws(SystemError) -> Bool {
        let name = item.name.last
        do {
            try moving.exchange(spare, with: folder, name)
        } catch  where error.code == ENOENT {
            try moving.remove(spare)
            return false
        } catch  where error.code == EINVAL {
            return try exchangeInSteps(item, in: folder, moving, spare: spare, target)
        } catch {
            // Nothing was exchanged: `spare` is the new link.
            try moving.remove(spare)
            throw error
        }
        // mutant: exchanged-item
        if try isUnchanged(item, spare, in: moving) { return true }
        try undoExchange(of: name, in: folder, moving, spare: spare, target)
        return false
    }

    /// Does the same on a file system without `RENAME_EXCHANGE`, see renameat2(2).
    private func exchangeInSteps(
        _ item: ScannedItem, in folder: Directory, _ moving: Directory, spare: [UInt8],
        _ target: [UInt8]
    ) throws(SystemError) -> Bool {
        let name = item.name.last
        if item.kind == .symbolicLink {
            try moving.rename(spare, to: folder, as: name)
            return true
        }
        try moving.remove(name)
        try folder.rename(name, to: moving, as: name)
        guard try isUnchanged(item, name, in: moving) else {
            try moving.renameExclusive(name, to: folder, as: name)
            return false
        }
        try folder.symlink(name, to: target)
        return true
    }

    /// Moves `spare`, an item that replaced the scanned one, back to `name`, where the link to `target` is.
    private func undoExchange(
        of name: [UInt8], in folder: Directory, _ moving: Directory, spare: [UInt8],
        _ target: [UInt8]
    ) throws(SystemError) {
        do {
            try moving.exchange(spare, with: folder, name)
        } catch  where error.code == ENOENT {
            return try moving.renameExclusive(spare, to: folder, as: name)
        }
        if moving.target(bytes: spare) == target { return try moving.remove(spare) }
        // The new link was replaced, too: the last item stays, and the next scan moves the other one back.
        try moving.exchange(spare, with: folder, name)
    }

    /// Moves the item `name` from ``moving`` to `favorites/`, under a free name.
    func moveBack(_ name: [UInt8], from moving: Directory) throws(SystemError) {
        guard let folder = try tree.root.folder(Layout.favorites) else { return }
        try moving.moveToFreeName(name, in: folder)
        try folder.synchronize()
    }

    func remove(_ name: FavoriteName) throws(SystemError) {
        guard let folder = try tree.root.folder(name.folderPath) else { return }
        try folder.remove(name.last)
        try folder.synchronize()
    }

    /// Whether `name` in `folder` is the scanned item: a link with its text, or a file with its inode.
    func isUnchanged(
        _ item: ScannedItem, _ name: [UInt8], in folder: Directory
    ) throws(SystemError) -> Bool {
        guard let status = try folder.status(name), status.kind == item.kind else {
            return false
        }
        return item.kind == .symbolicLink
            ? folder.target(bytes: name) == item.linkTarget
            : status.identity == item.identity
    }
}
