internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Creates and replaces links in `favorites/`, for the daemon and for commands.
///
/// A new link is relative and leads to a file of the mirror. On a file system without symbolic links, such as exFAT, a new link
/// is a shortcut instead: a small file with the address of NASA's page. No call follows a link in a path; it fails instead.
struct FavoriteLinks {
    let tree: Tree

    /// Creates the link `name` to `path`, a file of `day` relative to the root of the mirror, and the folders that contain the link.
    ///
    /// The link is made in `favoritesFolder`, which is `favorites/` or a new folder that will be renamed to that.
    ///
    /// - Returns: The name, which is ``FavoriteName/ofShortcut`` for a shortcut, and whether the link is new: an interrupted call
    ///   may have made the same link before.
    /// - Throws: ``SystemError``; `EEXIST` if something else has the name.
    func createLink(
        _ name: FavoriteName, to path: String, of day: Day,
        in favoritesFolder: String = Layout.favorites
    ) throws(SystemError) -> (name: FavoriteName, isNew: Bool) {
        let parts = [Array(favoritesFolder.utf8)] + name.parts.dropLast()
        let folder = try tree.root.makeSharedDirectory(
            Array(parts.joined(separator: [UInt8(ascii: "/")])))
        let target = Self.target(leadingTo: path, from: name)
        do {
            if try folder.symlinkIfSupported(name.last, to: target) {
                try folder.flush()
                return (name, true)
            }
        } catch  where error.code == EEXIST {
            guard folder.targetBytes(of: name.last) == target else { throw error }
            return (name, false)
        }
        let shortcut = name.ofShortcut
        return (shortcut, try createShortcut(shortcut, to: day, in: folder))
    }

    /// Creates the shortcut `name` to `day` in `folder`, which contains it; returns whether it is new.
    private func createShortcut(
        _ name: FavoriteName, to day: Day, in folder: Directory
    ) throws(SystemError) -> Bool {
        let (file, contents) = (String(decoding: name.last, as: UTF8.self), Self.shortcut(to: day))
        let path = "\(folder.path)/\(file)"
        do throws(SystemError) {
            var batch = AtomicFileBatch(besideFinalNamesIn: folder)
            try batch.add(contents, as: file, prefix: "", replacing: .only(nil))
            let isNew = try batch.publish(in: folder).isEmpty
            if !isNew, try Self.findItem(at: Array(file.utf8), in: folder, of: day) != .shortcut {
                throw SystemError("rename", path: path, code: EEXIST)
            }
            try folder.flush()
            return isNew
        } catch {
            // A person does not know the hidden name under which the file was written.
            throw SystemError(error.call, path: path, code: error.code)
        }
    }

    /// What a shortcut to `day` contains, as a browser makes it from NASA's page: ``PointerText`` finds the day in it.
    private static func shortcut(to day: Day) -> [UInt8] {
        let address = "https://apod.nasa.gov/apod/ap\(day.compact).html"
        return Array("[InternetShortcut]\r\nURL=\(address)\r\n".utf8)
    }

    /// Whether the file of `reference` is such a shortcut or certainly gone, so that no text of a person is lost with it.
    func isShortcut(_ reference: FavoriteReference) throws(SystemError) -> Bool {
        guard reference.kind == .shortcut else { return false }
        return try Self.findItem(at: reference.name.path, in: tree.root, of: reference.day)
            != .otherItem
    }

    /// What was found at the path of a shortcut.
    private enum FoundItem { case nothing, shortcut, otherItem }

    /// Reads the item at `path` in `folder`, which may be a shortcut to `day`.
    private static func findItem(
        at path: [UInt8], in folder: Directory, of day: Day
    ) throws(SystemError) -> FoundItem {
        guard let file = try ifPresent(folder.openToRead(path)) else { return .nothing }
        let text = "\(folder.path)/\(String(decoding: path, as: UTF8.self))"
        let (contents, status) = (shortcut(to: day), try file.status(path: text))
        guard status.kind == .file, status.size == contents.count else { return .otherItem }
        let present = try file.readStart(limit: contents.count, path: text)
        return present == contents ? .shortcut : .otherItem
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
        guard folder.targetBytes(of: item.name.last) == scannedTarget else { return false }
        try folder.rename(waiting, to: folder, as: item.name.last)
        try folder.flush()
        return true
    }

    /// Whether `item` may be deleted, because it is gone or still as it was scanned.
    func mayDelete(_ item: ScannedItem) throws(SystemError) -> Bool {
        guard let status = try tree.root.status(item.name.path) else { return true }
        // The identity is not compared: on overlayfs, a listing shows another inode than the status of the file.
        guard status.kind == item.kind else { return false }
        switch item.details {
        case .link(let target): return tree.root.targetBytes(of: item.name.path) == target
        case .other(let scanned):
            return status.size == scanned.size
                && status.modificationTime == scanned.modificationTime
        }
    }

    // MARK: A folder that the mirror made

    /// Removes the folder at `path`, which the mirror made, with all links and shortcuts in it.
    ///
    /// - Returns: Whether nothing is at `path`; `false` if the folder has another item, which may be a person's.
    func removeFolder(_ path: String) throws(SystemError) -> Bool {
        guard let listing = try tree.root.listing(of: path), let folder = try tree.root.folder(path)
        else { return true }
        for item in listing.items where Self.isLinkOrShortcut(item, in: folder) {
            try folder.remove(item.path)
        }
        // The path of a folder is longer than that of the folder around it.
        for path in listing.directories.sorted(by: { $0.count > $1.count }) where !path.isEmpty {
            // A folder that is not empty stays.
            try? folder.removeDirectory(path)
        }
        return (try? tree.root.removeDirectory(path)) != nil
    }

    /// Whether `item` in `folder` is a link, or a shortcut to any day.
    private static func isLinkOrShortcut(
        _ item: DirectoryListing.Item, in folder: Directory
    ) -> Bool {
        guard item.kind == .file else { return item.kind == .symbolicLink }
        let limit = PointerText.maximumLength
        guard let bytes = try? folder.openToRead(item.path).readStart(limit: limit, path: "") else {
            return false
        }
        return PointerText.days(in: bytes).contains { shortcut(to: $0) == bytes }
    }

    /// The target of a link: the link `trip/x`, at `favorites/trip/x`, leads to `pictures/…` by `../../pictures/…`.
    private static func target(leadingTo path: String, from name: FavoriteName) -> [UInt8] {
        Array((String(repeating: "../", count: name.parts.count) + path).utf8)
    }
}
