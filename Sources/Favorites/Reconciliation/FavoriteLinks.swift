internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// The links that are made in `favorites/`: relative, to files only, through no link, replacing only
/// what was looked at.
struct FavoriteLinks {
    let tree: Tree

    /// Where links and what they replace change places.
    ///
    /// Nothing empties it: what a user made may be left there by an interruption. The next scan puts that
    /// back.
    static let moving = FavoriteStore.folder + "/moving"

    /// The text of a link called `name` to `path`, which is relative to the root.
    static func target(_ path: String, from name: FavoriteName) -> [UInt8] {
        Array((String(repeating: "../", count: name.parts.count) + path).utf8)
    }

    /// Makes the link `name`, and the folders above it; fails with `EEXIST` where something has the name.
    func make(_ name: FavoriteName, to path: String) throws(SystemError) {
        let folder = try makeDirectory(name)
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
    func replace(_ item: ScannedItem, with path: String) throws(SystemError) -> Bool {
        guard let folder = try folder(above: item.name) else { return false }
        return try replace(item, in: folder, with: path) { moving, name throws(SystemError) in
            try moving.remove(bytes: name)
        }
    }

    /// The same; `takeOut` then does away with `item`, which has its name in ``moving``.
    func replace(
        _ item: ScannedItem, in folder: Directory, with path: String,
        _ takeOut: (_ moving: Directory, _ name: [UInt8]) throws(SystemError) -> Void
    ) throws(SystemError) -> Bool {
        let name = item.name.last
        guard try isStill(item, name, in: folder) else { return false }
        let moving = try tree.root.makeDirectory(Self.moving)
        let target = Self.target(path, from: item.name)
        try moving.symlink(bytes: name, to: target)
        guard try exchange(moving, folder, item, target) else { return false }
        try folder.synchronize()
        try takeOut(moving, name)
        return true
    }

    /// Puts the draft in the place of `item`, and takes it back where `item` was replaced just now.
    ///
    /// Whatever goes wrong, what a user made is in the folder, or in ``moving`` until the next scan.
    func exchange(
        _ moving: Directory, _ folder: Directory, _ item: ScannedItem, _ target: [UInt8]
    ) throws(SystemError) -> Bool {
        let name = item.name.last
        do {
            try moving.exchange(bytes: name, with: folder)
        } catch  where error.code == ENOENT {
            try moving.remove(bytes: name)
            return false
        } catch  where error.code == EINVAL {
            return try exchangeInSteps(moving, folder, item, target)
        } catch {
            // Nothing was exchanged: this is the draft.
            try moving.remove(bytes: name)
            throw error
        }
        if try isStill(item, name, in: moving) { return true }
        try takeBack(name, moving, folder, target)
        return false
    }

    /// The same where the file system cannot exchange names, see renameat2(2).
    private func exchangeInSteps(
        _ moving: Directory, _ folder: Directory, _ item: ScannedItem, _ target: [UInt8]
    ) throws(SystemError) -> Bool {
        let name = item.name.last
        if item.kind == .symbolicLink {
            try moving.rename(bytes: name, to: folder)
            return true
        }
        try moving.remove(bytes: name)
        try folder.rename(bytes: name, to: moving)
        guard try isStill(item, name, in: moving) else {
            try moving.renameExclusive(bytes: name, to: folder)
            return false
        }
        try folder.symlink(bytes: name, to: target)
        return true
    }

    /// Puts back what came in the place of what was looked at.
    private func takeBack(
        _ name: [UInt8], _ moving: Directory, _ folder: Directory, _ target: [UInt8]
    ) throws(SystemError) {
        do {
            try moving.exchange(bytes: name, with: folder)
        } catch  where error.code == ENOENT {
            return try moving.renameExclusive(bytes: name, to: folder)
        }
        if moving.target(bytes: name) == target { return try moving.remove(bytes: name) }
        // Replaced once more meanwhile: the last one stays, the one before waits for the next scan.
        try moving.exchange(bytes: name, with: folder)
    }

    /// Puts what is left in ``moving`` back into `favorites/`, under a name that is free.
    func putBack(_ name: [UInt8], from moving: Directory) throws(SystemError) {
        guard let folder = try tree.root.folder(Scan.folder) else { return }
        for number in 1...100 {
            let free = number == 1 ? name : name.prefix(250) + Array(" \(number)".utf8)
            if try folder.status(bytes: free) != nil { continue }
            try moving.renameExclusive(bytes: name, to: folder, as: free)
            return try folder.synchronize()
        }
    }

    /// Removes what has the name, a file or a link.
    func remove(_ name: FavoriteName) throws(SystemError) {
        guard let folder = try folder(above: name) else { return }
        try folder.remove(bytes: name.last)
        try folder.synchronize()
    }

    /// The folder that `name` lies in, `nil` where there is none.
    func folder(above name: FavoriteName) throws(SystemError) -> Directory? {
        var folder = try tree.root.folder(Scan.folder)
        for part in name.folders {
            guard let above = folder else { return nil }
            folder = try above.folder(bytes: part)
        }
        return folder
    }

    /// Whether `name` is still what was looked at: a link with that text, a file with that inode.
    func isStill(
        _ item: ScannedItem, _ name: [UInt8], in folder: Directory
    ) throws(SystemError) -> Bool {
        guard let status = try folder.status(bytes: name), status.kind == item.kind else {
            return false
        }
        return item.kind == .symbolicLink
            ? folder.target(bytes: name)?[...] == item.linkTarget
            : status.identity == item.identity
    }

    private func makeDirectory(_ name: FavoriteName) throws(SystemError) -> Directory {
        try Self.makeFolders(name.folders, in: try tree.root.makeDirectory(Scan.folder))
    }

    private static func makeFolders(
        _ parts: [[UInt8]], in folder: Directory,
        _ prepare: (Directory) throws(SystemError) -> Void = { _ in }
    ) throws(SystemError) -> Directory {
        var folder = folder
        for part in parts {
            if let inner = try folder.folder(bytes: part) {
                folder = inner
            } else {
                folder = try folder.makeDirectory(bytes: part)
                try prepare(folder)
            }
        }
        return folder
    }

    // MARK: The whole folder

    /// Makes `favorites/` again with `links`, all at once: nobody sees it half filled.
    ///
    /// - Returns: Whether those may write there who could before.
    func remake(
        _ links: [(name: FavoriteName, path: String)], _ permissions: DirectoryAccess?
    ) throws(SystemError) -> Bool {
        try removeUnfinished()
        let own = try tree.root.makeDirectory(Layout.own)
        let folder = try own.makeDirectory(Self.unfinished)
        // First, so that the folders in it inherit them.
        var isAsBefore =
            try permissions.map { permissions throws(SystemError) in
                try folder.take(permissions)
            } ?? true
        for link in links {
            do {
                let inner = try Self.makeFolders(link.name.folders, in: folder) {
                    inner throws(SystemError) in
                    guard let permissions, try !inner.take(permissions) else { return }
                    isAsBefore = false
                }
                try inner.symlink(
                    bytes: link.name.last, to: Self.target(link.path, from: link.name))
                try inner.synchronize()
            } catch  where !error.isNoSpace && !error.isReadOnly && error.code != EIO {
                // Another favorite has the name, or that of the folder: this one is missed then.
            }
        }
        try folder.synchronize()
        try own.renameExclusive(Self.unfinished, to: tree.root, as: Scan.folder)
        try tree.root.synchronize()
        return isAsBefore
    }

    private static let unfinished = "favorites.new"

    private func removeUnfinished() throws(SystemError) {
        let own = try tree.root.makeDirectory(Layout.own)
        guard let folder = try own.folder(Self.unfinished) else { return }
        try Self.empty(folder)
        try own.removeFolder(bytes: Array(Self.unfinished.utf8))
    }

    private static func empty(_ folder: Directory) throws(SystemError) {
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
