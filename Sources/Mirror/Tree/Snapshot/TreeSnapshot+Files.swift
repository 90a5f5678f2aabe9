package import APOD
package import MediaFormat
package import Platform

/// The elements of a ``TreeSnapshot``: which files each day has, and their sizes and times.
extension TreeSnapshot {
    /// The files of one day, which are recognized by their names; no contents are read.
    package struct DayFiles: Hashable, Sendable {
        package let day: Day
        /// The record in `metadata/`; `nil` if there is none; a link in its place counts as a damaged record.
        package private(set) var record: FileStamp?
        /// The files in `pictures/` whose names begin with the day, sorted by name; some may belong to a person.
        package private(set) var media: [MediaFile] = []
        package private(set) var thumbnail: FileStamp?

        var isEmpty: Bool { record == nil && media.isEmpty && thumbnail == nil }

        /// Adds the item `name`, which begins with the day, if it is a file of the day.
        ///
        /// The item is in `folder`, such as `pictures/2026/2026-11`, below the directory `top`, such as `pictures`. `status`
        /// is `nil` for a record or thumbnail whose status was not read.
        mutating func addIfRecognized(
            _ name: [UInt8], _ status: FileStatus?, below top: String, in folder: String
        ) {
            let ending = name.dropFirst(FileName.dayLength)
            guard top == Layout.pictures else {
                guard status?.kind != .directory else { return }
                let stamp = status.map { FileStamp($0) } ?? .unread
                if top == Layout.metadata, ending.elementsEqual(".json".utf8) { record = stamp }
                if top == Layout.thumbnails, ending.elementsEqual(".jpg".utf8) { thumbnail = stamp }
                return
            }
            guard ending.first == UInt8(ascii: " "), let status, status.kind == .file,
                let text = String(validating: name, as: UTF8.self)
            else { return }
            media.append(MediaFile(path: "\(folder)/\(text)", stamp: FileStamp(status)))
            guard media.count > 1 else { return }
            media.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        }
    }

    /// A regular file in `pictures/`.
    package struct MediaFile: Hashable, Sendable {
        /// Relative to the root.
        package let path: String
        package let stamp: FileStamp
        /// The type by the extension of the name, in any case; `nil` for a redirect page, a sidecar, and any other file.
        package let type: MediaType?

        init(path: String, stamp: FileStamp) {
            self.path = path
            self.stamp = stamp
            type = MediaType(ofName: path) ?? MediaType(ofName: path.lowercased())
        }

        /// Whether it has the name of a redirect page.
        var isPage: Bool { path.hasSuffix(".html") || path.lowercased().hasSuffix(".html") }
    }

    /// The part of a file's status that shows whether the file was edited or replaced.
    package struct FileStamp: Hashable, Sendable {
        /// In bytes.
        package let size: Int
        /// The modification time, as the duration since 1970.
        package let modified: Duration
        package let identity: FileIdentity

        /// The stamp of a file that exists, and whose status was not read.
        static let unread = FileStamp(
            size: 0, modified: .zero, identity: .init(device: 0, inode: 0))
    }
}

extension TreeSnapshot.FileStamp {
    package init(_ status: FileStatus) {
        self.init(size: status.size, modified: status.exactlyModified, identity: status.identity)
    }
}

extension TreeSnapshot.DayFiles {
    /// The files with the type of a picture, which include the poster of a video and pictures of a person.
    package var pictures: [TreeSnapshot.MediaFile] { media.filter { $0.type?.isPicture == true } }

    /// Whether the day has a file of a kind that the mirror makes: a record, a picture, a video or a thumbnail.
    package var isMirrored: Bool { record != nil || hasMedia || thumbnail != nil }

    /// Whether the day has a picture or a video, perhaps of a person.
    package var hasMedia: Bool { media.contains { $0.type != nil } }

    /// The stamp of the regular file at `path`, which the record of the day names; `nil` if there is none.
    ///
    /// On exFAT and NTFS, a file also has the names that differ from that in the listing only in upper and lower case, and on
    /// some disks only in the Unicode form. So if the listing has such a name of `path`, the disk is asked for the path itself.
    package func stamp(
        ofFileAt path: String, in root: Directory
    ) throws(SystemError) -> TreeSnapshot.FileStamp? {
        if let file = media.first(where: { $0.path.utf8.elementsEqual(path.utf8) }) {
            return file.stamp
        }
        // Where the names are those of two files, this one is missing.
        let lowercased = path.lowercased()
        guard let file = media.first(where: { $0.path.lowercased() == lowercased }),
            try root.status(path)?.kind == .file
        else { return nil }
        return file.stamp
    }

    package var hasPicture: Bool { media.contains { $0.type?.isPicture == true } }

    /// Whether the day has a picture of a type of which thumbnails can be made.
    package var canHaveThumbnail: Bool { media.contains { $0.type?.hasThumbnail == true } }

    /// The sum of the sizes of all pictures and videos, including those of a person, in bytes: see ``RecordedDays/bytes(of:)``.
    package var mediaBytes: Int {
        media.lazy.filter { $0.type != nil }.map(\.stamp.size).saturatingSum()
    }
}
