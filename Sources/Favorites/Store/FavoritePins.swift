internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// The pinned pictures: each is the picture of a favorite once more, beside its record.
///
/// It shares its blocks or its inode with the original, so it costs no space, and outlives it.
struct FavoritePins {
    private let tree: Tree
    /// Whether the file system was found unable to let two files share their blocks.
    private var cannotShare = false

    init(tree: Tree) {
        self.tree = tree
    }

    /// Pins the picture at `path`, which is a file: the pin lasts from ``FavoriteStore/settle()`` on.
    ///
    /// - Returns: The name of the pin, `nil` where the picture has no ending.
    mutating func pin(_ day: Day, _ path: String) throws(SystemError) -> String? {
        guard let dot = path.lastIndex(of: ".") else { return nil }
        let name = "\(day)\(path[dot...])"
        let folder = try tree.root.makeDirectory(FavoriteStore.folder)
        try duplicate(path, to: folder, as: name, modified: day.noon)
        return name
    }

    /// Puts the pinned picture back where the record of the day has it, and nothing is now.
    ///
    /// - Returns: Whether it was put back; not where the pin is of an earlier revision.
    mutating func putBack(
        _ picture: PictureRecord, of day: Day, pin: String
    ) throws(SystemError) -> Bool {
        let pinned = "\(FavoriteStore.folder)/\(pin)"
        let (folder, name) = Layout.split(picture.path)
        guard try tree.root.status(picture.path) == nil,
            try tree.root.status(pinned)?.size == picture.bytes,
            try tree.root.openFile(pinned, O_RDONLY).sha256(path: pinned) == picture.sha256
        else { return false }
        let home = try tree.root.makeDirectory(folder)
        try duplicate(pinned, to: home, as: name, modified: day.noon)
        try home.synchronize()
        return true
    }

    /// Makes one more file of the bytes at `path`: by reflink, else by hard link, else by copying.
    private mutating func duplicate(
        _ path: String, to folder: Directory, as name: String, modified: Int
    ) throws(SystemError) {
        if cannotShare, try link(path, to: folder, as: name) { return }
        let source = try tree.root.openFile(path, O_RDONLY)
        let draft = try AtomicFile("favorite \(name)", in: tree.root.makeDirectory(Layout.incoming))
        if !draft.file.share(with: source) {
            cannotShare = true
            if try link(path, to: folder, as: name) { return }
            try draft.file.copy(from: source, path: draft.path)
        }
        try draft.file.setModified(modified, path: draft.path)
        try draft.publish(in: folder, as: name)
    }

    private func link(
        _ path: String, to folder: Directory, as name: String
    ) throws(SystemError) -> Bool {
        let (above, original) = Layout.split(path)
        guard let above = try tree.root.folder(above) else { return false }
        do {
            try above.link(original, to: folder, as: name)
        } catch  where error.code == EEXIST {
            return true
        } catch {
            return false  // A file system without hard links, or a file of somebody else.
        }
        return true
    }
}
