internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Creates, replaces and deletes links in `favorites/`, for the daemon and for commands.
///
/// A new link is relative and leads to a file of the mirror. No path is followed through a link.
struct FavoriteLinks {
    let tree: Tree

    /// The folder in which a new link is made, and then exchanged for the item that it replaces.
    ///
    /// After an interruption it may contain an item of a person, which the next scan moves back.
    static let staging = "\(FavoriteStore.folder)/\(stagingName)"
    static let stagingName = "moving"

    /// The text of a link at `name` to `path`, which is relative to the root of the mirror.
    ///
    /// From `favorites/a/x`, whose name is `a/x`, two folders lead up to the root: `../../pictures/…`.
    static func target(_ path: String, from name: FavoriteName) -> [UInt8] {
        Array((String(repeating: "../", count: name.parts.count) + path).utf8)
    }

    /// Creates the link `name` and the folders above it; fails with `EEXIST` if the name is taken.
    func make(_ name: FavoriteName, to path: String) throws(SystemError) {
        let folder = try tree.root.makeSharedDirectory(name.folderPath)
        try folder.symlink(name.last, to: Self.target(path, from: name))
        try folder.flush()
    }

    /// Replaces `item`, if it is still the scanned one, atomically by a link to `path`.
    ///
    /// The item is then in ``staging``. A link in a folder of another file system cannot get there: it gets a
    /// hidden name beside the new link, which no scan lists if an interruption leaves it.
    ///
    /// - Returns: The item under its temporary name, which the caller deletes or moves on; a replaced link may be
    ///   gone already. `nil` if another item has its place by now, which stays.
    func replace(
        _ item: ScannedItem, withLinkTo path: String
    ) throws(SystemError) -> ReplacedItem? {
        guard let folder = try tree.root.folder(item.name.folderPath) else { return nil }
        // mutation test: unchanged-item
        guard try item.isUnchanged(as: item.name.last, in: folder) else { return nil }
        let target = Self.target(path, from: item.name)
        func exchange(_ temporary: ReplacedItem) throws(SystemError) -> ReplacedItem? {
            let exchange = LinkExchange(
                item: item, folder: folder, temporary: temporary, target: target)
            guard try exchange.run() else { return nil }
            try folder.flush()
            return temporary
        }
        do {
            let staging = try tree.root.makeDirectory(Self.staging)
            return try exchange(ReplacedItem(folder: staging, name: item.name.last))
        } catch  where error.code == EXDEV && item.kind == .symbolicLink {
            let hidden = Array(".apod-mirror-\(UInt64.random(in: .min ... .max))".utf8)
            return try exchange(ReplacedItem(folder: folder, name: hidden))
        }
    }

    /// Moves an item from ``staging`` to `favorites/`, under a free name; it stays until that folder exists.
    func moveBack(_ item: ReplacedItem) throws(SystemError) {
        guard let folder = try tree.root.folder(Layout.favorites) else { return }
        try item.folder.moveToFreeName(item.name, in: folder)
    }

    /// Deletes the item `name`, whatever it is; succeeds if there is none.
    func remove(_ name: FavoriteName) throws(SystemError) {
        guard let folder = try tree.root.folder(name.folderPath) else { return }
        try folder.remove(name.last)
        try folder.flush()
    }
}

/// An item of `favorites/` that a new link has replaced, under its temporary name in `folder`.
struct ReplacedItem {
    let folder: Directory
    let name: [UInt8]
}

/// Exchanges an item in `favorites/` for a new link, which is made under a temporary name first.
///
/// If a user puts another item in its place meanwhile, that item stays or returns there.
struct LinkExchange {
    /// The item as it was scanned.
    let item: ScannedItem
    /// The folder of the item, in `favorites/`.
    let folder: Directory
    /// Where the link is made, and where the item is afterwards, on the same file system as `folder`.
    let temporary: ReplacedItem
    /// The text of the new link.
    let target: [UInt8]

    private var name: [UInt8] { item.name.last }

    /// Makes the link and exchanges it for the item, which has the temporary name then, or is gone if it was a link.
    ///
    /// - Returns: `false` if the name has another item by now, or none; no link is left.
    /// - Throws: ``SystemError``; the item of the user has its own name or the temporary one.
    func run() throws(SystemError) -> Bool {
        try temporary.folder.symlink(temporary.name, to: target)
        do {
            try temporary.folder.exchange(temporary.name, with: folder, name)
        } catch {
            // Nothing was exchanged: the temporary name is that of the new link.
            try temporary.folder.remove(temporary.name)
            switch error.code {
            case ENOENT: return false
            // The file system does not support RENAME_EXCHANGE, see renameat2(2).
            case EINVAL: return try runWithoutExchange()
            default: throw error
            }
        }
        // mutation test: exchanged-item
        if try item.isUnchanged(as: temporary.name, in: temporary.folder) { return true }
        try undo()
        return false
    }

    /// Replaces the item without `RENAME_EXCHANGE`; see ``run()``.
    func runWithoutExchange() throws(SystemError) -> Bool {
        try item.kind == .symbolicLink ? replaceLink() : replaceFileInSteps()
    }

    /// Replaces the item, a link, by one rename(2): a crash leaves the old link or the new one.
    ///
    /// What a user puts in its place in the last moment, between the check and the rename, is lost.
    private func replaceLink() throws(SystemError) -> Bool {
        try temporary.folder.symlink(temporary.name, to: target)
        do {
            if try item.isUnchanged(as: name, in: folder) {
                try temporary.folder.rename(temporary.name, to: folder, as: name)
                return true
            }
        } catch {
            try temporary.folder.remove(temporary.name)
            throw error
        }
        try temporary.folder.remove(temporary.name)
        return false
    }

    /// Replaces the item, a file, by two steps, between which its name is free.
    ///
    /// The next scan moves a file back that a crash has left under its temporary name.
    private func replaceFileInSteps() throws(SystemError) -> Bool {
        do {
            try folder.rename(name, to: temporary.folder, as: temporary.name)
        } catch  where error.code == ENOENT {
            return false
        }
        guard try item.isUnchanged(as: temporary.name, in: temporary.folder) else {
            try temporary.folder.renameExclusive(temporary.name, to: folder, as: name)
            return false
        }
        do {
            try folder.symlink(name, to: target)
        } catch {
            // If a user has taken the name meanwhile, the next scan moves the file back under a free one.
            try? temporary.folder.renameExclusive(temporary.name, to: folder, as: name)
            throw error
        }
        return true
    }

    /// Moves the item with the temporary name, which a user had put in place of the scanned one, back.
    private func undo() throws(SystemError) {
        do {
            try temporary.folder.exchange(temporary.name, with: folder, name)
        } catch  where error.code == ENOENT {
            return try temporary.folder.renameExclusive(temporary.name, to: folder, as: name)
        }
        if temporary.folder.target(bytes: temporary.name) == target {
            return try temporary.folder.remove(temporary.name)
        }
        // The user has replaced the new link, too: the last item stays, and the next scan moves the other one back.
        try temporary.folder.exchange(temporary.name, with: folder, name)
    }
}

extension ScannedItem {
    /// Whether `name` in `folder` is still this item: a link with its text, or a file with its inode.
    func isUnchanged(as name: [UInt8], in folder: Directory) throws(SystemError) -> Bool {
        guard let status = try folder.status(name), status.kind == kind else { return false }
        return kind == .symbolicLink
            ? folder.target(bytes: name) == linkTarget : status.identity == identity
    }
}
