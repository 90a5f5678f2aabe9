package import APOD
internal import Glibc
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
            guard let found = try CompleteFile(tree.root.openFile(path, O_RDONLY), path: path),
                found.header.type.isPicture,
                try isOwn(path, found.header.type, of: entry)
            else { continue }
            var picture = PictureRecord(found, at: path, of: entry)
            // The mirror published it, so that it is NASA's.
            if picture.origin.isEmpty { picture.origin = entry.media.pictures.first?.url ?? "" }
            if path == self.path(of: entry, found.header.type, replacing: nil) { return picture }
            if let best, best.pixels >= picture.pixels { continue }
            best = picture
        }
        return best
    }

    /// A record for the intact video of `entry` that the mirror published; `nil` if there is none.
    func unrecordedVideo(of entry: Entry) throws(SystemError) -> VideoRecord? {
        for path in try mediaFiles(of: entry.day) where path.hasSuffix(".mp4") {
            guard let url = entry.media.video,
                let found = try CompleteFile(tree.root.openFile(path, O_RDONLY), path: path),
                found.header.type == .mp4, try isOwn(path, .mp4, of: entry)
            else { continue }
            return VideoRecord(url: url, path: path, bytes: found.bytes, sha256: found.sha256)
        }
        return nil
    }

    /// Whether the mirror published the file at `path`, or would give it that name.
    private func isOwn(
        _ path: String, _ type: MediaType, of entry: Entry
    ) throws(SystemError) -> Bool {
        if path == self.path(of: entry, type, replacing: nil) { return true }
        return try tree.isPublished(Array(path.utf8), of: entry.day)
    }

    /// The days without a record, but with a picture or video that the mirror published.
    func unrecordedDays(_ snapshot: TreeSnapshot) -> Set<Day> {
        Set(
            snapshot.days.lazy.filter { files in
                files.record == nil && files.hasMedia
                    && files.media.contains {
                        // What cannot be read may be the mirror's.
                        (try? tree.isPublished(Array($0.path.utf8), of: files.day)) ?? true
                    }
            }.map(\.day))
    }

    /// The sorted paths of the files in `pictures/` whose names start with `day`.
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
    /// Whether the file at `path` has the modification time of `day` or the attributes that the mirror sets;
    /// a user's own picture has neither.
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
