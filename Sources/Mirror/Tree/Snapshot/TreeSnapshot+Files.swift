package import APOD
package import MediaFormat
package import Platform

/// The elements of a ``TreeSnapshot``, which is a list of the files of all days as one walk over the tree found them.
///
/// Files are recognized by their names. Their sizes and times are stored, and no contents are read.
extension TreeSnapshot {
    /// The files of one day.
    package struct DayFiles: Hashable, Sendable {
        package let day: Day
        /// The record in `metadata/`; `nil` if there is none; a link in its place counts as a damaged record.
        package private(set) var record: FileStamp?
        /// The files in `pictures/` whose names begin with the day, sorted by name; some may belong to a person.
        ///
        /// Beside pictures and videos, these are redirect pages, sidecars and files of other types: see ``MediaFile/isMedia``.
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
            if top == Layout.pictures {
                if ending.first == UInt8(ascii: " "), let status, status.kind == .file {
                    addMedia(name, status, in: folder)
                }
                return
            }
            guard status?.kind != .directory else { return }
            let stamp = status.map { FileStamp($0) } ?? .unread
            if top == Layout.metadata, ending.elementsEqual(".json".utf8) { record = stamp }
            if top == Layout.thumbnails, ending.elementsEqual(".jpg".utf8) { thumbnail = stamp }
        }

        private mutating func addMedia(_ name: [UInt8], _ status: FileStatus, in folder: String) {
            guard let text = String(validating: name, as: UTF8.self) else { return }
            let file = MediaFile(path: "\(folder)/\(text)", stamp: FileStamp(status))
            let next = media.firstIndex { file.path.utf8.lexicographicallyPrecedes($0.path.utf8) }
            media.insert(file, at: next ?? media.endIndex)
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
            // Nearly all names need no lower-casing, which would be slow.
            type = MediaType(ofName: path) ?? MediaType(ofName: path.lowercased())
        }

        var isMedia: Bool { type != nil }

        var isPicture: Bool { type?.isPicture == true }

        /// Whether it has the name of a redirect page.
        var isPage: Bool { path.lowercased().hasSuffix(".html") }
    }

    /// The part of a file's status that shows whether the file was edited or replaced.
    package struct FileStamp: Hashable, Sendable {
        /// In bytes.
        package let size: Int
        /// The modification time, as the duration since 1970.
        package let modified: Duration
        package let identity: FileIdentity

        /// Stands for a record or thumbnail that exists, if its status was not read: see ``TreeSnapshot/Scope``.
        static let unread = FileStamp(
            size: 0, modified: .zero, identity: .init(device: 0, inode: 0))
    }
}

extension TreeSnapshot.FileStamp {
    package init(_ status: FileStatus) {
        self.init(size: status.size, modified: status.modificationTime, identity: status.identity)
    }
}

extension TreeSnapshot.DayFiles {
    /// The files with the type of a picture, which include the poster of a video and pictures of a person.
    package var pictures: [TreeSnapshot.MediaFile] { media.filter(\.isPicture) }

    package var hasPicture: Bool { media.contains(where: \.isPicture) }

    /// Whether the day has a picture or a video, perhaps of a person.
    package var hasMedia: Bool { media.contains(where: \.isMedia) }

    /// Whether the day has a file of a kind that the mirror makes: a record, a picture, a video or a thumbnail.
    package var isMirrored: Bool { record != nil || hasMedia || thumbnail != nil }

    /// Whether the day has a picture of a type of which thumbnails can be made.
    package var canHaveThumbnail: Bool { media.contains { $0.type?.hasThumbnail == true } }

    /// The file at `path`, if the listing has it under exactly this name.
    func listedFile(at path: String) -> TreeSnapshot.MediaFile? {
        // Swift compares strings without regard to their Unicode form.
        media.first { $0.path.utf8.elementsEqual(path.utf8) }
    }

    /// The sum of the sizes of all pictures and videos, including those of a person, in bytes: see ``RecordedDays/bytes(of:)``.
    package var mediaBytes: Int { media.lazy.filter(\.isMedia).map(\.stamp.size).saturatingSum() }

    /// The stamp of the regular file at `path`, which the record of the day names; `nil` if there is none.
    ///
    /// The listing may show the file under another name: exFAT and NTFS ignore upper and lower case, and some disks change the
    /// Unicode form, such as `é` in one or two characters. For such a name, the disk is asked whether `path` leads to a file.
    package func stamp(
        ofFileAt path: String, in root: Directory
    ) throws(SystemError) -> TreeSnapshot.FileStamp? {
        if let file = listedFile(at: path) { return file.stamp }
        let lowercased = path.lowercased()
        guard let similar = media.first(where: { $0.path.lowercased() == lowercased }),
            // On a disk that distinguishes the two names, `path` has no file.
            try root.status(path)?.kind == .file
        else { return nil }
        return similar.stamp
    }
}

extension [TreeSnapshot.DayFiles] {
    /// The days of each month, newest month first; the days of a month stay in ascending order.
    package var months: [ArraySlice<Element>] {
        var months: [ArraySlice<Element>] = []
        var rest = self[...]
        while let last = rest.last {
            let firstOfMonth = Month(of: last.day).first
            // The search goes by position, because copying the files of each day would take most of the time.
            let start = rest.indices.last { rest[$0].day < firstOfMonth }.map { $0 + 1 } ?? 0
            months.append(rest[start...])
            rest = rest[..<start]
        }
        return months
    }
}
