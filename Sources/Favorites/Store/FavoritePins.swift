internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Pins the pictures of favorites, and restores lost pictures from their pins.
///
/// A pin is a second file with the bytes of the picture, beside the record of the favorite: the bytes stay when
/// the original is lost or replaced. A pin takes no space where the file system has reflinks or hard links.
struct FavoritePins {
    let tree: Tree
    /// Throws unless there is room for a copy of so many bytes.
    let checkSpace: @Sendable (Int) throws(SystemError) -> Void

    /// Pins the picture at `path`; the pin is durable after ``FavoriteStore/flush()``.
    ///
    /// - Returns: The name of the pin; `nil` if the path has an extension that no picture of a mirror has.
    func pin(_ day: Day, _ path: String) throws(SystemError) -> String? {
        guard let name = FavoriteStore.pin(of: day, for: path) else { return nil }
        let folder = try tree.root.makeDirectory(FavoriteStore.folder)
        try duplicate(path, to: folder, as: name, modified: day.noon)
        return name
    }

    /// Restores a missing picture from `pin`, the name of its pin.
    ///
    /// - Returns: `false` if the picture exists, was removed by retention, or has other contents than the pin.
    func restorePicture(
        _ picture: PictureRecord, of day: Day, pin: String
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
        try duplicate(pinned, to: target, as: name, modified: day.noon)
        try target.flush()
        return true
    }

    /// Duplicates the file at `path` by reflink, else by hard link, else by copying.
    private func duplicate(
        _ path: String, to folder: Directory, as name: String, modified: Int
    ) throws(SystemError) {
        let source = try tree.root.openFile(path, O_RDONLY)
        let temporary = try AtomicFile(
            "favorite \(name)", in: tree.root.makeDirectory(Layout.incoming))
        if !temporary.file.reflink(from: source) {
            if try link(path, to: folder, as: name, modified: modified) { return }
            try temporary.copy(source, limit: Layout.largestFile, reserve: checkSpace)
        }
        try temporary.file.setModified(modified, path: temporary.path)
        try temporary.publish(in: folder, as: name)
    }

    /// Makes a hard link to the file at `path`.
    ///
    /// - Returns: `false` if that is not possible.
    private func link(
        _ path: String, to folder: Directory, as name: String, modified: Int
    ) throws(SystemError) -> Bool {
        let (sourcePath, sourceName) = Layout.split(path)
        guard let sourceFolder = try tree.root.folder(sourcePath) else { return false }
        do {
            try sourceFolder.link(sourceName, to: folder, as: name)
            // The original may have lost its time in a copy of the mirror.
            try? folder.openFile(name, O_RDONLY).setModified(modified, path: name)
            return true
        } catch {
            // Before an interruption the same link may have been made: then both names are one file.
            guard error.code == EEXIST, let existing = try folder.status(name),
                let source = try sourceFolder.status(sourceName)
            else { return false }
            return existing.identity == source.identity
        }
    }
}
