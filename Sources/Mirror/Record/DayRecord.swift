package import APOD
package import FoundationEssentials
internal import JSON
package import MediaFormat
package import Platform

/// The record of one day: `metadata/2026/2026-11/2026-11-20.json`.
///
/// In the file (see DayRecordJSON), the keys of NASA's API v1 come first, so that existing tools can read it. Then come
/// our own keys, and at last unknown keys, which every rewrite preserves.
package struct DayRecord: Hashable, Sendable {
    package var entry: EntryText
    package var picture: PictureRecord?
    package var video: VideoRecord?
    package var noPicture: NoPictureRecord?
    /// The kind of the feed from which the texts came; `nil` if it is not known.
    package var feed: FeedKind?
    package var route = Route.api
    /// When the record changed last, except for times and versions of NASA's article and files.
    package var fetched: Date
    /// 1 for the first entry of the day, one more for each edit by NASA.
    package var revision: Int
    /// The `article:modified_time` of NASA's web page when all files were last requested.
    ///
    /// If it changes, NASA may have replaced a file under its address.
    var modified: String?
    /// The keys of the file that this program does not know; see ``unknownKeys(of:)``.
    var unknown: [JSON.Member] = []
}

extension DayRecord {
    /// When retention removed the picture, or the video of a day without one; `nil` if it did not.
    package var removed: Date? {
        if let picture { picture.removed } else { video?.removed }
    }

    /// The path of the picture, else of the video.
    package var mediaPath: String? { picture?.path ?? video?.path }

    /// The path of the redirect page, which opens the video, or NASA's article where there is no picture.
    ///
    /// A record with a picture alone has none, and setting one has no effect.
    package var page: String? {
        get { video == nil ? noPicture?.page : video?.page }
        set { if video == nil { noPicture?.page = newValue } else { video?.page = newValue } }
    }

    /// The size of picture and video, also of those that retention removed.
    package var bytes: Int { allFiles.lazy.map(\.bytes).saturatingSum() }
}

/// The picture of a day, or the poster of its video, with the members of its ``file``: `picture.path`.
@dynamicMemberLookup
package struct PictureRecord: Hashable, Sendable {
    package var file: RecordedFile
    /// `nil` if it is not known.
    package var type: MediaType?
    /// Width and height are in pixels, and 0 if they are not known.
    package var width: Int
    package var height: Int
    package var etag: String?
    package var lastModified: String?
    /// The URL it was downloaded from; empty if it is not known, as of a picture that `adopt` took over.
    package var origin: String
    /// Whether NASA announces a larger picture than it served; retried with growing delays.
    package var isReduced: Bool
    /// The page of the classic mirror that the picture is from, because NASA has lost it; `nil` if NASA has it.
    package var mirror: String?
    /// The URL of a smaller picture of NASA that does not replace this one, because it looks like a copy of it.
    package var keptInsteadOf: String?

    package subscript<Value>(dynamicMember member: WritableKeyPath<RecordedFile, Value>) -> Value {
        get { file[keyPath: member] }
        set { file[keyPath: member] = newValue }
    }
}

/// The video of a day, which most records know only by its address.
package struct VideoRecord: Hashable, Sendable {
    package var url: String
    /// `nil` if it was never downloaded.
    package var file: RecordedFile?
    package var etag: String?
    package var lastModified: String?
    var page: String?

    package var path: String? { file?.path }
    package var removed: Date? { file?.removed }
}

/// Why a day has neither picture nor video file, and since when.
package struct NoPictureRecord: Hashable, Sendable {
    package var reason: String
    package var since: Date
    var page: String?
}

extension DayRecord {
    enum FileKind: String, CaseIterable {
        case picture, video
    }

    /// The files that should be in the tree.
    package var files: [RecordedFile] { allFiles.filter { $0.removed == nil } }

    /// All recorded files, also those that retention removed.
    package var allFiles: [RecordedFile] { [picture?.file, video?.file].compactMap(\.self) }

    /// `nil` if the record names no such file, or retention removed it.
    func file(_ kind: FileKind) -> RecordedFile? {
        let file = kind == .picture ? picture?.file : video?.file
        return file?.removed == nil ? file : nil
    }

    mutating func setRemoved(_ kind: FileKind, _ time: Date?) {
        switch kind {
        case .picture: picture?.removed = time
        case .video: video?.file?.removed = time
        }
    }
}

/// A picture or video as the record of its day describes it: path, size and hash of the contents.
package struct RecordedFile: Hashable, Sendable {
    /// Relative to the root of the tree.
    package var path: String
    /// The size in bytes.
    package var bytes: Int
    /// 64 lower-case hexadecimal digits.
    package var sha256: String
    /// When `--keep` removed the file; `nil` if it should be in the tree.
    package var removed: Date?

    package init(path: String, bytes: Int, sha256: String, removed: Date? = nil) {
        self.path = path
        self.bytes = bytes
        self.sha256 = sha256
        self.removed = removed
    }
}

extension RecordedFile {
    /// For people: `the picture of 48,213 bytes`.
    package var words: String {
        "the \(MediaType(ofName: path)?.isPicture == false ? "video" : "picture") of \(counted(bytes, "byte"))"
    }
}

extension Directory {
    /// Whether the file at `path` has the recorded contents of `file`; `nil` if there is no regular file.
    package func hasContents(of file: RecordedFile, at path: String) throws(SystemError) -> Bool? {
        guard let status = try status(path), status.kind == .file else { return nil }
        // A file of another size is not read: it may be of any size.
        guard status.size == file.bytes else { return false }
        return try openToRead(path).sha256(path: path, limit: file.bytes) == file.sha256
    }
}

extension FileStatus.FileType {
    package var words: String {
        switch self {
        case .file: "a file"
        case .directory: "a directory"
        case .symbolicLink: "a symbolic link"
        case .other: "a fifo, a socket or a device"
        }
    }
}
