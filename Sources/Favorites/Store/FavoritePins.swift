internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Makes the pins of favorites, and restores lost pictures from them.
///
/// A pin is a second copy of the picture of a favorite, beside its record in ``FavoriteStore/folder``. It stays when the
/// picture is lost or replaced. It takes no space if the file system can share blocks (reflinks) or has hard links.
struct FavoritePins {
    let tree: Tree
    /// Throws unless the disk has space for a copy of so many bytes.
    let checkSpace: @Sendable (_ bytes: Int) throws(SystemError) -> Void

    /// Pins the picture or video at `path`; the pin is durable after ``FavoriteStore/flush()``.
    ///
    /// - Returns: The name of the pin; `nil` if the path has an extension that no picture or video of a mirror has.
    func pin(_ path: String, of day: Day) throws(SystemError) -> String? {
        guard let ending = Layout.pinEndings.first(where: { path.hasSuffix($0) }) else {
            return nil
        }
        let name = "\(day)\(ending)"
        try share(path, with: tree.root.makeDirectory(FavoriteStore.folder), as: name)
        return name
    }

    /// Makes the new file `name` in `folder` of the file at `path`: a reflink, or else a hard link, or else a copy.
    private func share(
        _ path: String, with folder: Directory, as name: String
    ) throws(SystemError) {
        let source = try tree.root.openToRead(path)
        let draft = try makeDraft(name)
        if !draft.file.reflink(from: source) {
            // A hard link needs no flush of the contents: those of the source are durable already.
            if (try? tree.root.link(path, to: folder, as: name)) != nil { return }
            try draft.copy(source, limit: Layout.largestFile, reserve: checkSpace)
        }
        draft.file.setModified(try source.status(path: path).modified)
        try draft.publishNew(in: folder, as: name)
    }

    /// Restores the `file` of `record` from `source`, which is a pin or a file in `favorites/`; the result is durable.
    ///
    /// If `isReplaced`, something else has the path of the file, which moves to `damaged/` if `source` has the contents of the file.
    ///
    /// - Returns: `false` if nothing was restored, because `source` has other contents, or something else has got the path.
    func restore(
        _ file: RecordedFile, of record: DayRecord, from source: [UInt8], isReplaced: Bool = false
    ) throws(SystemError) -> Bool {
        guard try isReplaced ? !tree.hasFile(file) : tree.root.isCertainlyMissing(file.path),
            // The size is compared first, so that not every file is read.
            let status = try tree.root.status(source), status.size == file.bytes
        else { return false }
        let (folderPath, name) = Layout.split(file.path)
        let folder = try tree.root.makeDirectory(folderPath)
        let draft = try makeDraft(name, of: source, status)
        // The draft is hashed rather than `source`, which a person may change meanwhile.
        let sha256 = try draft.file.sha256(path: draft.path, limit: file.bytes)
        // mutation test: copy-hash (see Tests/Mutants)
        guard sha256 == file.sha256 else { return false }
        draft.file.setModified(record.fileTime)
        do throws(SystemError) {
            // A disk fault may have damaged what is there, or a person has edited or replaced it.
            if isReplaced { try Store(reading: tree).moveDamaged(file.path, of: record.entry.day) }
            try draft.publishNew(in: folder, as: name)
            return true
        } catch  where error.code == EEXIST {
            // A person or a sync has put a file there in the meantime.
            return false
        }
    }

    /// A temporary file for the new file `name`, with the contents of `source`, which has this `status`.
    private func makeDraft(
        _ name: String, of source: [UInt8], _ status: FileStatus
    ) throws(SystemError) -> AtomicFile {
        let path = String(decoding: source, as: UTF8.self)
        // A person may edit a file in `favorites/`, or a pin that has another name, such as that of a picture moved there.
        if path.hasPrefix("\(FavoriteStore.folder)/"), status.linkCount == 1 {
            return try AtomicFile.duplicate(
                of: path, in: tree.root, as: "favorite \(name)",
                in: tree.root.makeDirectory(Layout.incoming), limit: status.size,
                reserve: checkSpace)
        }
        let draft = try makeDraft(name)
        try draft.copy(tree.root.openToRead(source), limit: status.size, reserve: checkSpace)
        return draft
    }

    /// A temporary file for the new file `name`.
    private func makeDraft(_ name: String) throws(SystemError) -> AtomicFile {
        try AtomicFile("favorite \(name)", in: tree.root.makeDirectory(Layout.incoming))
    }
}
