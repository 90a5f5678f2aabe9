package import APOD
internal import Glibc
internal import MediaFormat
package import Platform

/// Pictures and videos in `pictures/` that no record names, after the loss of `metadata/` or of a record.
extension Store {
    /// A record for an intact picture of `entry` that the mirror published.
    ///
    /// - Returns: Of several pictures the one with the name that the mirror gives it, else the one with the
    ///   most pixels; `nil` if there is none.
    func unrecordedPicture(of entry: Entry) throws(SystemError) -> PictureRecord? {
        var best: PictureRecord?
        for path in try mediaFiles(of: entry.day) {
            guard let found = try CheckedFile(tree.root.openFile(path, O_RDONLY), path: path),
                found.header.type.isPicture,
                try isOwn(path, found.header.type, of: entry)
            else { continue }
            var picture = PictureRecord(found, at: path, of: entry)
            // Its address is lost: that of NASA's original is the most probable one.
            if picture.origin.isEmpty { picture.origin = entry.media.pictures.first?.url ?? "" }
            if path == newPath(of: entry, found.header.type) { return picture }
            if let best, best.pixelCount >= picture.pixelCount { continue }
            best = picture
        }
        return best
    }

    /// A record for the intact video of `entry` that the mirror published; `nil` if there is none.
    func unrecordedVideo(of entry: Entry) throws(SystemError) -> VideoRecord? {
        for path in try mediaFiles(of: entry.day)
        where MediaType(ofName: path)?.isPicture == false {
            guard let url = entry.media.video,
                let found = try CheckedFile(tree.root.openFile(path, O_RDONLY), path: path),
                !found.header.type.isPicture, try isOwn(path, found.header.type, of: entry)
            else { continue }
            return VideoRecord(url: url, path: path, bytes: found.bytes, sha256: found.sha256)
        }
        return nil
    }

    /// Whether the file at `path` is the mirror's: it has the marks of a published file, or the name that the
    /// mirror gives it, as a copied file without its time and attributes has.
    private func isOwn(
        _ path: String, _ type: MediaType, of entry: Entry
    ) throws(SystemError) -> Bool {
        if path == newPath(of: entry, type) { return true }
        return try tree.isPublished(Array(path.utf8), of: entry.day)
    }

    /// The days without a record, but with a picture or video that has the marks of a published file; its name alone
    /// is no mark before the title of the entry is known.
    func unrecordedDays(_ snapshot: TreeSnapshot) -> Set<Day> {
        let days = snapshot.days.lazy.filter { files in
            guard files.record == nil, files.hasMedia else { return false }
            return files.media.contains { file in
                // What cannot be read may be the mirror's.
                (try? tree.isPublished(Array(file.path.utf8), of: files.day)) ?? true
            }
        }
        return Set(days.map(\.day))
    }

    /// The sorted paths of the files in `pictures/` whose names start with `day`.
    ///
    /// They are listed here, although ``TreeSnapshot`` has them: in a sync, most months have changed since it was made,
    /// and ``SnapshotOwner/current()`` would list three directories again; outside of a sync it would walk the tree.
    func mediaFiles(of day: Day) throws(SystemError) -> [String] {
        let path = Layout.folder(Layout.pictures, of: day)
        guard let folder = try tree.root.folder(path) else { return [] }
        var files: [String] = []
        for name in try folder.textNames().sorted() where name.hasPrefix("\(day) ") {
            if try folder.status(name)?.kind == .file { files.append("\(path)/\(name)") }
        }
        return files
    }
}

extension Tree {
    /// Whether the file at `path` has the modification time, noon of `day`, or the attributes that the mirror sets
    /// when it publishes a file; hardly any picture of a user has them.
    package func isPublished(_ path: [UInt8], of day: Day) throws(SystemError) -> Bool {
        guard let status = try root.status(path), status.kind == .file else { return false }
        if status.modified == day.noon { return true }
        let file = try root.openToRead(path)
        // Both, as file managers set a comment, and browsers an address.
        let address =
            file.attribute("user.xdg.origin.url") ?? file.attribute("user.xdg.referrer.url")
        return file.attribute("user.xdg.comment") != nil && address != nil
    }
}
