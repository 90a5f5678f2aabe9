package import APOD
package import MediaFormat
package import Platform

/// The elements of a ``TreeSnapshot``: the files of each day, as one walk over the mirror's directories found them.
extension TreeSnapshot {
    /// The files of one day, as their names and types show; no contents are read.
    package struct DayFiles: Hashable, Sendable {
        package let day: Day
        /// The record in `metadata/`; `nil` if there is none; a link in its place counts as a damaged record.
        package private(set) var record: FileStamp?
        /// The files in `pictures/` whose names begin with the day, sorted by name; some may be a user's.
        package private(set) var media: [MediaFile] = []
        package private(set) var thumbnail: FileStamp?

        var isEmpty: Bool { record == nil && media.isEmpty && thumbnail == nil }

        /// Adds an item whose name begins with the day, if it is a file of the day.
        ///
        /// `top` is a directory such as `pictures`, and `folder`, such as `pictures/2026/2026-11`, has the item. The `status`
        /// of a record or thumbnail may be unread.
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
        /// The type by the extension of the name; `nil` for the page of a video, a sidecar, and other files.
        package let type: MediaType?

        init(path: String, stamp: FileStamp) {
            self.path = path
            self.stamp = stamp
            type = MediaType(ofName: path)
        }

        /// Whether it has the name of a redirect page.
        var isPage: Bool { path.hasSuffix(".html") }
    }

    /// The part of a file's status that changes when the file is edited or replaced.
    package struct FileStamp: Hashable, Sendable {
        /// In bytes.
        package let size: Int
        /// The modification time, since 1970.
        package let modified: Duration
        package let identity: FileIdentity

        /// For a file that is only known to be there.
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
    /// The pictures, also the poster of a video, and a user's pictures.
    package var pictures: [TreeSnapshot.MediaFile] { media.filter { $0.type?.isPicture == true } }

    /// Whether there is a file of a type that the mirror makes.
    package var isMirrored: Bool { record != nil || hasMedia || thumbnail != nil }

    package var hasMedia: Bool { media.contains { $0.type != nil } }

    /// Whether `file` is at its path, as a regular file of its recorded size.
    package func has(_ file: RecordedFile) -> Bool {
        media.contains { $0.path == file.path && $0.stamp.size == file.bytes }
    }

    func hasFile(at path: String) -> Bool { media.contains { $0.path == path } }

    package var hasPicture: Bool { media.contains { $0.type?.isPicture == true } }

    /// Whether there is a picture of a type that has thumbnails.
    package var canHaveThumbnail: Bool { media.contains { $0.type?.hasThumbnail == true } }

    /// The sizes of all pictures and videos, also of a user's, in bytes.
    package var mediaBytes: Int {
        media.lazy.filter { $0.type != nil }.map(\.stamp.size).saturatingSum()
    }
}
