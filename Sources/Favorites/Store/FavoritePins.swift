internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Pins the pictures of favorites, and restores lost pictures from their pins.
///
/// A pin is a second name or a copy of the picture of a favorite, beside its record: it stays when the original
/// is lost or replaced. Where the file system has reflinks or hard links, it takes no space.
struct FavoritePins {
    let tree: Tree
    /// Throws unless there is room for a copy of so many bytes.
    let checkSpace: @Sendable (Int) throws(SystemError) -> Void

    /// Pins the picture or video at `path`; the pin is durable after ``FavoriteStore/flush()``.
    ///
    /// - Returns: The name of the pin; `nil` if no file of a mirror has the extension of the path.
    func pin(_ path: String, of day: Day) throws(SystemError) -> String? {
        guard let ending = FavoriteStore.pinEndings.first(where: { path.hasSuffix($0) }) else {
            return nil
        }
        let name = "\(day)\(ending)"
        let folder = try tree.root.makeDirectory(FavoriteStore.folder)
        let source = try tree.root.openToRead(path)
        let draft = try makeDraft(name)
        if !draft.file.reflink(from: source) {
            // The bytes of the picture are durable already.
            if (try? tree.root.link(path, to: folder, as: name)) != nil { return name }
            try draft.copy(source, limit: Layout.largestFile, reserve: checkSpace)
        }
        draft.file.setModified(try source.status(path: path).modified)
        try draft.publish(in: folder, as: name)
        return name
    }

    /// Restores a missing file of `record`, durably, from `source`: a pin, or an item in `favorites/`, which stays.
    ///
    /// - Returns: `false` if anything has the path of the file, which stays, or `source` has other contents.
    func restore(
        _ file: RecordedFile, of record: DayRecord, from source: [UInt8]
    ) throws(SystemError) -> Bool {
        guard tree.root.isCertainlyMissing(file.path),
            // A file of another size is not read.
            try tree.root.status(source)?.size == file.bytes
        else { return false }
        let (folder, name) = Layout.split(file.path)
        // A hard link would change with the file of a user, which may be the pin as well.
        let draft = try makeDraft(name)
        try draft.copy(tree.root.openToRead(source), limit: file.bytes, reserve: checkSpace)
        // The copy is hashed, because a user may change the file meanwhile.
        let sha256 = try draft.file.sha256(path: draft.path, limit: file.bytes)
        // mutation test: pin-hash
        guard sha256 == file.sha256 else { return false }
        draft.file.setModified(record.fileTime)
        do throws(SystemError) {
            try draft.publishNew(in: tree.root.makeDirectory(folder), as: name)
            return true
        } catch  where error.code == EEXIST {
            // A person, or a sync, was faster than the copy.
            return false
        }
    }

    private func makeDraft(_ name: String) throws(SystemError) -> AtomicFile {
        try AtomicFile("favorite \(name)", in: tree.root.makeDirectory(Layout.incoming))
    }
}
