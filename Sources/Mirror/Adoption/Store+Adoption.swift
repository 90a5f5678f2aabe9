package import APOD
internal import Glibc
package import Platform

/// Reuses files that no record names: published ones, after the loss of `metadata/` or of a record, and
/// those in `adopted/`.
extension Store {
    /// The record of a complete picture of `entry` that is already in the tree.
    ///
    /// - Returns: `nil` if there is none, or only a user's own; of several, the one with the name that the
    ///   mirror gives it, else the one with the most pixels.
    func unrecordedPicture(of entry: Entry) throws(SystemError) -> PictureRecord? {
        var best: PictureRecord?
        for path in try mediaFiles(of: entry.day) {
            guard let found = try CompleteFile(tree.root.openFile(path, O_RDONLY), path: path),
                found.header.type.isPicture,
                try isOwn(path, found.header.type, of: entry)
            else { continue }
            var picture = PictureRecord(found, at: path, of: entry)
            // A name of the mirror: it was downloaded.
            if picture.origin.isEmpty { picture.origin = entry.media.pictures.first?.url ?? "" }
            if path == self.path(of: entry, found.header.type, replacing: nil) { return picture }
            if let best, best.pixels >= picture.pixels { continue }
            best = picture
        }
        return best
    }

    /// The record of the complete video of `entry` that is already in the tree.
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

    /// Sets the modification times that a copy lost, so that its pictures and videos are known as those of the
    /// mirror: of the days without a record, in the months that lost all records.
    func markPublished(_ snapshot: TreeSnapshot) {
        let recorded = snapshot.days.filter { $0.record != nil }.map(\.day)
        let months = Set(recorded.map { "\($0)".prefix(7) })
        for files in snapshot.days where files.record == nil && files.hasMedia {
            let day = files.day
            if let first = recorded.first, let last = recorded.last {
                guard first < day, day < last, !months.contains("\(day)".prefix(7)) else {
                    continue
                }
            }
            for path in files.media.map(\.path) {
                guard Tree.fileType(of: Layout.split(path).name, on: day) != nil,
                    let file = try? tree.root.openFile(path, O_RDONLY)
                else { continue }
                try? file.setModified(day.noon, path: path)
            }
        }
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

    // MARK: adopted/

    /// The days whose pictures are in `adopted/`.
    package func adoptedDays() throws(SystemError) -> Set<Day> {
        guard let folder = try tree.root.folder(Layout.adopted) else { return [] }
        var days: Set<Day> = []
        for name in try folder.textNames() {
            guard let day = FileName.day(of: name), try Self.isPicture(name, of: day, in: folder)
            else { continue }
            days.insert(day)
        }
        return days
    }

    /// The picture of `entry` in `adopted/`, ready to be published.
    ///
    /// It keeps its name there until it is published: see ``removeAdopted(of:)``.
    ///
    /// - Returns: `nil` if there is none, or if it is damaged.
    func adoptedPicture(
        of entry: Entry
    ) throws(SystemError) -> (record: PictureRecord, file: DownloadedFile)? {
        guard let folder = try tree.root.folder(Layout.adopted) else { return nil }
        for name in try adoptedNames(of: entry.day, in: folder) {
            let draft = try AtomicFile.duplicate(
                of: name, in: folder, as: "\(entry.day).adopted", in: incoming,
                limit: Layout.largestFile
            ) { bytes throws(SystemError) in try checkFreeSpace(for: bytes + 1) }
            guard let found = try CompleteFile(draft.file, path: draft.path),
                found.header.type.isPicture, !found.hasOtherShape(than: entry)
            else { continue }
            var picture = PictureRecord(found, at: "", of: entry)
            picture.path = path(of: entry, found.header.type, replacing: nil)
            return (picture, DownloadedFile(draft, from: picture.origin, received: 0))
        }
        return nil
    }

    /// Removes the published picture of `day` from `adopted/`.
    ///
    /// Another one was refused: it is moved to `aside/`, because it may be the only copy. After a failure, the next
    /// start removes the published one.
    func removeAdopted(of day: Day) {
        guard let folder = try? tree.root.folder(Layout.adopted),
            let names = try? adoptedNames(of: day, in: folder),
            let picture = try? record(of: day)?.picture
        else { return }
        for name in names {
            if (try? folder.hasContents(of: RecordedFile(picture), at: name)) == true {
                try? folder.remove(name)
            } else if let aside = try? tree.root.makeDirectory(Layout.aside) {
                try? folder.moveToFreeName(Array(name.utf8), in: aside)
            }
        }
    }

    /// Removes pictures from `adopted/` that an interrupted process had published.
    func removePublishedFromAdopted() {
        for day in (try? adoptedDays()) ?? [] {
            guard let picture = try? record(of: day)?.picture,
                (try? tree.exists(picture.path)) == true,
                let folder = try? tree.root.folder(Layout.adopted),
                let names = try? adoptedNames(of: day, in: folder)
            else { continue }
            for name in names
            where (try? folder.hasContents(of: RecordedFile(picture), at: name)) == true {
                try? folder.remove(name)
            }
        }
    }

    private func adoptedNames(of day: Day, in folder: Directory) throws(SystemError) -> [String] {
        var names: [String] = []
        for name in MediaType.allCases.map({ "\(day).\($0.fileExtension)" }).sorted()
        where try Self.isPicture(name, of: day, in: folder) {
            names.append(name)
        }
        return names
    }

    /// Whether `name` in `adopted/` is a file that an adoption made for `day`.
    private static func isPicture(
        _ name: String, of day: Day, in folder: Directory
    ) throws(SystemError) -> Bool {
        guard MediaType.allCases.contains(where: { name == "\(day).\($0.fileExtension)" }),
            let status = try folder.status(name)
        else { return false }
        return status.kind == .file && status.size <= Layout.largestFile
    }
}

extension Tree {
    /// Whether the file at `path` has the modification time of `day` or the attributes that the mirror sets; a
    /// user's own picture has neither.
    func isPublished(_ path: [UInt8], of day: Day) throws(SystemError) -> Bool {
        guard let status = try root.status(path), status.kind == .file else { return false }
        if status.modified == day.noon { return true }
        let file = try root.openToRead(path)
        // File managers set a comment, browsers an address.
        return file.attribute("user.xdg.comment") != nil
            && (file.attribute("user.xdg.origin.url") ?? file.attribute("user.xdg.referrer.url"))
                != nil
    }
}

/// A complete picture or video: its end is there.
struct CompleteFile {
    let header: MediaHeader
    let bytes: Int
    let sha256: String
    /// The URL it was downloaded from, if the file system stores attributes.
    let origin: String?

    /// - Returns: `nil` if `file` is not a complete picture or video, or too large for a file of the mirror.
    init?(_ file: borrowing FileDescriptor, path: String) throws(SystemError) {
        let status = try file.status(path: path)
        guard status.size <= Layout.largestFile, let header = try? MediaHeader(reading: file),
            (try? header.checkEnd(of: file)) != nil
        else { return nil }
        self.header = header
        bytes = status.size
        sha256 = try file.sha256(path: path, limit: status.size)
        origin = file.attribute("user.xdg.origin.url")
    }

    /// Whether it has other proportions than NASA announces: a logo of the old API, or a photo of that day.
    func hasOtherShape(than entry: Entry) -> Bool {
        guard let size = header.size, let address = entry.media.pictures.first,
            let width = address.width,
            let height = address.height, width > 0, height > 0
        else { return false }
        let (one, other) = (
            Double(size.width) * Double(height), Double(size.height) * Double(width)
        )
        return abs(one - other) > 0.05 * max(one, other)
    }
}

extension PictureRecord {
    fileprivate init(_ file: CompleteFile, at path: String, of entry: Entry) {
        let addresses = entry.media.pictures
        let address =
            addresses.first { $0.url == file.origin }
            ?? addresses.first { file.header.size?.isSize(of: $0) ?? false }
        self.init(
            path: path, bytes: file.bytes, sha256: file.sha256, type: file.header.type.rawValue,
            width: file.header.size?.width ?? 0, height: file.header.size?.height ?? 0,
            etag: nil, lastModified: nil, origin: address?.url ?? file.origin ?? "",
            isReduced: (address ?? addresses.first).map {
                file.header.size?.isReduction(of: $0) ?? false
            } ?? false)
    }
}
