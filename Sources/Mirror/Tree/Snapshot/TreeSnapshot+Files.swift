package import APOD
package import Platform

/// The entries of a snapshot.
extension TreeSnapshot {
    /// The files of one day.
    package struct DayFiles: Hashable, Sendable {
        package let day: Day
        /// `nil` if there is none; a link in its place counts as a damaged record.
        package private(set) var record: FileStamp?
        /// The files in `pictures/` whose names begin with the day, also a user's, sorted by name.
        package private(set) var media: [MediaFile] = []
        package private(set) var thumbnail: FileStamp?

        /// Adds the item `name` in `folder` below `top`; returns whether it is a file of the day.
        mutating func add(
            _ name: String, _ status: FileStatus, in top: String, _ folder: String
        ) -> Bool {
            let rest = name.dropFirst(10)
            switch top {
            case Layout.metadata:
                guard rest == ".json", status.kind != .directory else { return false }
                record = FileStamp(status)
            case Layout.thumbnails:
                guard rest == ".jpg", status.kind != .directory else { return false }
                thumbnail = FileStamp(status)
            default:
                guard rest.hasPrefix(" "), status.kind == .file else { return false }
                media.append(MediaFile(path: "\(folder)/\(name)", stamp: FileStamp(status)))
            }
            return true
        }
    }

    /// A regular file in `pictures/`.
    package struct MediaFile: Hashable, Sendable {
        /// Relative to the root.
        package let path: String
        package let stamp: FileStamp

        /// By the extension; `nil` for the page of a video, a sidecar, and other files.
        package var type: MediaType? { MediaType(ofName: path) }
    }

    /// An item that is no file of a day.
    package struct OtherItem: Hashable, Sendable {
        /// Relative to the root, of any bytes.
        package let path: [UInt8]
        /// The month in whose directory it is; `nil` if it is in no such directory.
        package let month: Month?
        package let kind: FileStatus.FileType
        package let size: Int

        init(_ item: DirectoryItem, in folder: String, of month: Month? = nil) {
            self.month = month
            path = Array("\(folder)/".utf8) + item.name
            kind = item.status.kind
            size = item.status.size
        }
    }

    /// What changes when a file is edited or replaced.
    package struct FileStamp: Hashable, Sendable {
        package let size: Int
        /// The time since 1970.
        package let modified: Duration
        package let identity: FileIdentity

        package init(_ status: FileStatus) {
            size = status.size
            modified = status.exactlyModified
            identity = status.identity
        }
    }
}

extension TreeSnapshot.DayFiles {
    /// The paths of all files, relative to the root.
    package var paths: [String] {
        [record.map { _ in Layout.recordPath(of: day) }].compactMap(\.self) + media.map(\.path)
            + [thumbnail.map { _ in Layout.thumbnail(of: day) }].compactMap(\.self)
    }

    /// The pictures, of which one may be the poster of a video, and others a user's.
    package var pictures: [TreeSnapshot.MediaFile] { media.filter { $0.type?.isPicture == true } }

    /// Whether there is anything that the mirror may have made.
    package var isMirrored: Bool { record != nil || hasMedia || thumbnail != nil }

    package var hasMedia: Bool { media.contains { $0.type != nil } }

    /// Whether there is a picture of a type that has thumbnails.
    package var isIllustrated: Bool { media.contains { $0.type?.hasThumbnail == true } }

    package var mediaBytes: Int {
        media.lazy.filter { $0.type != nil }.map(\.stamp.size).saturatingSum()
    }
}
