internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Pins the pictures of favorites, and restores lost pictures from their pins.
///
/// A pin is a second name or file for the picture of a favorite, beside its record: it stays when the original
/// is lost or replaced. Where the file system has reflinks or hard links, it takes no space.
struct FavoritePins {
    let tree: Tree
    /// Throws unless there is room for a copy of so many bytes.
    let checkSpace: @Sendable (Int) throws(SystemError) -> Void

    /// Pins the picture or video at `path`; the pin is durable after ``FavoriteStore/flush()``.
    ///
    /// - Returns: The name of the pin; `nil` if no file of a mirror has the extension of the path.
    func pin(_ path: String, of day: Day) throws(SystemError) -> String? {
        guard let name = FavoriteStore.pinName(of: day, for: path) else { return nil }
        let folder = try tree.root.makeDirectory(FavoriteStore.folder)
        try duplicate(path, to: folder, as: name, of: day)
        return name
    }

    /// Restores a missing picture, durably, from the pin with the name `pin`.
    ///
    /// - Returns: `false` if the picture exists, was removed by retention, or has other contents than the pin.
    func restore(
        _ picture: PictureRecord, of day: Day, from pin: String
    ) throws(SystemError) -> Bool {
        let pinned = "\(FavoriteStore.folder)/\(pin)"
        let (folder, name) = Layout.split(picture.path)
        guard picture.removed == nil, try tree.root.status(picture.path) == nil,
            // A pin of another size is not read.
            try tree.root.status(pinned)?.size == picture.bytes
        else { return false }
        let file = try tree.root.openFile(pinned, O_RDONLY)
        let sha256 = try file.sha256(path: pinned, limit: picture.bytes)
        // mutation test: pin-hash
        guard sha256 == picture.sha256 else { return false }
        let target = try tree.root.makeDirectory(folder)
        try duplicate(pinned, to: target, as: name, of: day)
        try target.flush()
        return true
    }

    /// Duplicates the file at `path` by reflink, else by hard link, else by copying.
    private func duplicate(
        _ path: String, to folder: Directory, as name: String, of day: Day
    ) throws(SystemError) {
        let source = try tree.root.openFile(path, O_RDONLY)
        let temporary = try AtomicFile(
            "favorite \(name)", in: tree.root.makeDirectory(Layout.incoming))
        if !temporary.file.reflink(from: source) {
            if try link(path, to: folder, as: name) {
                // Its bytes are durable already. The file of another user keeps its time.
                try? folder.openFile(name, O_RDONLY).setModified(day.noon, path: name)
                return
            }
            try temporary.copy(source, limit: Layout.largestFile, reserve: checkSpace)
        }
        try temporary.file.setModified(day.noon, path: temporary.path)
        try temporary.publish(in: folder, as: name)
    }

    /// Makes a hard link to the file at `path`; returns `false` if that is not possible, for whatever reason.
    private func link(
        _ path: String, to folder: Directory, as name: String
    ) throws(SystemError) -> Bool {
        do {
            try tree.root.link(path, to: folder, as: name)
            return true
        } catch {
            // Before an interruption the same link may have been made: then both names are one file.
            guard error.code == EEXIST, let existing = try folder.status(name) else { return false }
            return try existing.identity == tree.root.status(path)?.identity
        }
    }
}
