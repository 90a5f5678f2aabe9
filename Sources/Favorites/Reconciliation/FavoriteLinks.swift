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
        try folder.flush()
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
        // mutation test: unchanged-item
        guard try item.isUnchanged(as: name, in: folder) else { return false }
        let moving = try tree.root.makeDirectory(Self.moving)
        let target = Self.target(path, from: item.name)
        do {
            let exchange = LinkExchange(
                item: item, folder: folder, spareFolder: moving, spareName: name, target: target)
            guard try exchange.run() else { return false }
        } catch  where error.code == EXDEV && item.kind == .symbolicLink {
            let hidden = Array(".apod-mirror-\(UInt64.random(in: .min ... .max))".utf8)
            let exchange = LinkExchange(
                item: item, folder: folder, spareFolder: folder, spareName: hidden, target: target)
            guard try exchange.run() else { return false }
            try folder.remove(hidden)
            try folder.flush()
            return true
        }
        try folder.flush()
        try dispose(moving, name)
        return true
    }

    /// Moves the item `name` from ``moving`` to `favorites/`, under a free name.
    func moveBack(_ name: [UInt8], from moving: Directory) throws(SystemError) {
        guard let folder = try tree.root.folder(Layout.favorites) else { return }
        try moving.moveToFreeName(name, in: folder)
        try folder.flush()
    }

    func remove(_ name: FavoriteName) throws(SystemError) {
        guard let folder = try tree.root.folder(name.folderPath) else { return }
        try folder.remove(name.last)
        try folder.flush()
    }
}
