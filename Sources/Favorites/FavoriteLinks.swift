internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// The links that are made in `favorites/`: relative, to files only, through no link, replacing only
/// what was looked at.
struct FavoriteLinks {
    let tree: Tree

    /// What the link that comes is called until it has its place.
    static let draft = "favorite link"

    /// The text of a link called `name` to `path`, which is relative to the root.
    static func target(_ path: String, from name: FavoriteName) -> [UInt8] {
        Array((String(repeating: "../", count: name.parts.count) + path).utf8)
    }

    /// Makes the link `name`, and the folders above it; fails with `EEXIST` where something has the name.
    func make(_ name: FavoriteName, to path: String) throws(SystemError) {
        let folder = try makeFolder(name)
        try folder.symlink(bytes: name.last, to: Self.target(path, from: name))
        try folder.synchronize()
    }

    /// Whether `name` is the link to `path` that ``make(_:to:)`` would make.
    func leads(_ name: FavoriteName, to path: String) -> Bool {
        (try? folder(above: name))??.target(bytes: name.last) == Self.target(path, from: name)
    }

    /// Puts a link to `path` in the place of `item`, in one step.
    ///
    /// - Returns: `false` where something else has the name by now; it is left alone.
    func replace(_ item: FoundItem, with path: String) throws(SystemError) -> Bool {
        guard let folder = try folder(above: item.name) else { return false }
        let incoming = try tree.root.makeFolder(Layout.incoming)
        try incoming.remove(Self.draft)
        try incoming.symlink(
            bytes: Array(Self.draft.utf8), to: Self.target(path, from: item.name))
        guard try isStill(item, item.name.last, in: folder),
            try exchange(incoming, folder, item)
        else {
            try incoming.remove(Self.draft)
            return false
        }
        try folder.synchronize()
        try incoming.remove(Self.draft)
        return true
    }

    /// Puts the draft in the place of `item`, and takes it back where `item` was replaced just now.
    func exchange(
        _ incoming: Folder, _ folder: Folder, _ item: FoundItem
    ) throws(SystemError) -> Bool {
        do {
            try incoming.exchange(Self.draft, with: folder, bytes: item.name.last)
        } catch  where error.code == ENOENT {
            return false
        } catch  where error.code == EINVAL {
            // Not every file system can, see renameat2(2).
            try incoming.rename(Self.draft, to: folder, bytes: item.name.last)
            return true
        }
        if try isStill(item, Array(Self.draft.utf8), in: incoming) { return true }
        try incoming.exchange(Self.draft, with: folder, bytes: item.name.last)
        return false
    }

    /// Removes what has the name, a file or a link.
    func remove(_ name: FavoriteName) throws(SystemError) {
        guard let folder = try folder(above: name) else { return }
        try folder.remove(bytes: name.last)
        try folder.synchronize()
    }

    /// The folder that `name` lies in, `nil` where there is none.
    func folder(above name: FavoriteName) throws(SystemError) -> Folder? {
        var folder = try tree.root.folder(Scan.folder)
        for part in name.folders {
            guard let above = folder else { return nil }
            folder = try above.folder(bytes: part)
        }
        return folder
    }

    /// Whether `name` is still what was looked at: a link with that text, a file with that inode.
    private func isStill(
        _ item: FoundItem, _ name: [UInt8], in folder: Folder
    ) throws(SystemError) -> Bool {
        guard let status = try folder.status(bytes: name), status.kind == item.kind else {
            return false
        }
        return item.kind == .symbolicLink
            ? folder.target(bytes: name)?[...] == item.linkTarget
            : status.identity == item.identity
    }

    private func makeFolder(_ name: FavoriteName) throws(SystemError) -> Folder {
        try Self.makeFolders(name.folders, in: try tree.root.makeFolder(Scan.folder))
    }

    private static func makeFolders(
        _ parts: [[UInt8]], in folder: Folder
    ) throws(SystemError) -> Folder {
        var folder = folder
        for part in parts {
            if let inner = try folder.folder(bytes: part) {
                folder = inner
            } else {
                folder = try folder.makeFolder(bytes: part)
            }
        }
        return folder
    }

    // MARK: The whole folder

    /// Makes `favorites/` again with `links`, all at once: nobody sees it half filled.
    func remake(_ links: [(name: FavoriteName, path: String)]) throws(SystemError) {
        try removeUnfinished()
        let own = try tree.root.makeFolder(Layout.own)
        let folder = try own.makeFolder(Self.unfinished)
        for link in links {
            do {
                let inner = try Self.makeFolders(link.name.folders, in: folder)
                try inner.symlink(
                    bytes: link.name.last, to: Self.target(link.path, from: link.name))
                try inner.synchronize()
            } catch  where error.code == EEXIST || error.isNoFolder {
                // Another favorite has the name, or that of the folder: this one is missed then.
            }
        }
        try folder.synchronize()
        try own.renameAside(Self.unfinished, to: tree.root, as: Scan.folder)
        try tree.root.synchronize()
    }

    private static let unfinished = "favorites.new"

    private func removeUnfinished() throws(SystemError) {
        let own = try tree.root.makeFolder(Layout.own)
        guard let folder = try own.folder(Self.unfinished) else { return }
        try Self.empty(folder)
        try own.removeFolder(bytes: Array(Self.unfinished.utf8))
    }

    private static func empty(_ folder: Folder) throws(SystemError) {
        for name in try folder.names() {
            if try folder.status(bytes: name)?.kind == .directory,
                let inner = try folder.folder(bytes: name)
            {
                try empty(inner)
                try folder.removeFolder(bytes: name)
            } else {
                try folder.remove(bytes: name)
            }
        }
    }
}
