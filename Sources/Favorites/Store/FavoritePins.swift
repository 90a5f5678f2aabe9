internal import APOD
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
        try duplicate(path, to: folder, as: name)
        return name
    }

    /// Restores a missing file of `record`, durably, from `source`: a pin, or an item in `favorites/`, which stays.
    ///
    /// - Returns: `false` if the file exists, or `source` has other contents.
    func restore(
        _ file: RecordedFile, of record: DayRecord, from source: [UInt8]
    ) throws(SystemError) -> Bool {
        guard tree.root.isCertainlyMissing(file.path),
            // A file of another size is not read.
            try tree.root.status(source)?.size == file.bytes
        else { return false }
        let (above, last) = Layout.split(file.path)
        let original = try tree.root.openToRead(source)
        let sha256 = try original.sha256(path: file.path, limit: file.bytes)
        // mutation test: pin-hash
        guard sha256 == file.sha256 else { return false }
        let folder = try tree.root.makeDirectory(above)
        // A file of a user, which may be the pin as well, would change a hard link to it.
        try duplicate(
            source, to: folder, as: last, modified: record.fileTime, mayLink: false)
        try folder.flush()
        return true
    }

    /// Duplicates the file at `path` by reflink, else by hard link if that is allowed, else by copying.
    ///
    /// The new file has the modification time `modified`; by default that of the file at `path`.
    private func duplicate(
        _ path: some PathBytes, to folder: Directory, as name: String, modified: Int? = nil,
        mayLink: Bool = true
    ) throws(SystemError) {
        let source = try tree.root.openToRead(path)
        let temporary = try AtomicFile(
            "favorite \(name)", in: tree.root.makeDirectory(Layout.incoming))
        if !temporary.file.reflink(from: source) {
            // The bytes of the file at `path` are durable already.
            if mayLink, (try? tree.root.link(path, to: folder, as: name)) != nil { return }
            try temporary.copy(source, limit: Layout.largestFile, reserve: checkSpace)
        }
        let sourceTime = try source.status(path: name).modified
        try temporary.file.setModified(modified ?? sourceTime, path: temporary.path)
        try temporary.publish(in: folder, as: name)
    }
}
