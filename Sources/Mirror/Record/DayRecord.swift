package import APOD
package import FoundationEssentials
internal import JSON
package import MediaFormat
internal import Platform

/// The record of one day: NASA's texts, and the picture, the video and the page that the mirror has of the day.
///
/// Syncs write it, and all other parts of the program read it. It is stored in `metadata/2026/2026-11/2026-11-20.json`. In the
/// file (see DayRecordJSON), the keys of NASA's old API come first, so that existing tools can read it. Then come the keys of
/// this program, and at last unknown keys, which a person has added and which every rewrite preserves.
package struct DayRecord: Hashable, Sendable {
    package var entry: EntryText
    package var picture: PictureRecord?
    package var video: VideoRecord?
    /// Why the day has neither picture nor video file; `nil` if it has one.
    package var noPicture: NoPictureRecord?
    /// The kind of the feed from which the texts came; `nil` if it is not known.
    package var feed: FeedKind?
    package var route = Route.api
    /// When the record was last changed; a change of mere times and versions of files does not count.
    package var fetched: Date
    /// 1 for the first entry of the day, and one more after each edit by NASA.
    package var revision: Int
    /// The `article:modified_time` of NASA's web page when all files were last requested; `nil` if it is not known.
    ///
    /// If it changes, NASA may have replaced a file without changing its address.
    var modified: String?
    /// The keys in the file that this program does not know: see ``unknownKeys(of:)``.
    var unknown: [JSON.Member] = []
}

extension DayRecord {
    /// When `--keep` removed the picture, or the video of a day without a picture; `nil` if it did not.
    package var removed: Date? {
        if let picture { picture.removed } else { video?.removed }
    }

    /// The path of the picture, or of the video if there is no picture.
    package var mediaPath: String? { picture?.path ?? video?.path }

    /// The path of the redirect page, which opens the video in a browser, or NASA's article if there is no picture.
    package var page: String? { video == nil ? noPicture?.page : video?.page }

    /// Sets the ``page``; does nothing if the record has a picture and no video, because such a day has no page.
    mutating func setPage(_ path: String?) {
        if video == nil { noPicture?.page = path } else { video?.page = path }
    }

    /// The size of the picture and the video in bytes, even if `--keep` removed them.
    package var bytes: Int { allFiles.lazy.map(\.bytes).saturatingSum() }

    /// Forgets the video file that `--keep` removed, so that its address leads to NASA again; does nothing if there is none.
    mutating func forgetRemovedVideo() {
        guard video?.removed != nil else { return }
        video?.file = nil
        video?.etag = nil
        video?.lastModified = nil
    }
}

/// The picture of a day, or the still image of its video.
///
/// The properties of its ``file`` can be used directly: `picture.path`.
@dynamicMemberLookup
package struct PictureRecord: Hashable, Sendable {
    package var file: RecordedFile
    /// The type; `nil` if it is not known.
    package var type: MediaType?
    /// Width and height are in pixels; 0 if they are not known.
    package var width: Int
    package var height: Int
    /// The header `ETag` of the download, which names the version of the file; `nil` if there was none.
    package var etag: String?
    /// The header `Last-Modified` of the download; `nil` if there was none.
    package var lastModified: String?
    /// The URL from which it was downloaded; empty for a picture that `adopt` imported, until NASA has sent the same bytes.
    package var origin: String
    /// Whether NASA announces a larger picture than it served, so that the download is tried again later.
    package var isReduced: Bool
    /// The web page of the classic mirror from which the picture came, because NASA has lost it; `nil` if NASA has it.
    package var mirror: String?
    /// The URL of a smaller picture that NASA serves now, and that did not replace this one; `nil` if there is none.
    package var keptInsteadOf: String?

    package subscript<Value>(dynamicMember member: WritableKeyPath<RecordedFile, Value>) -> Value {
        get { file[keyPath: member] }
        set { file[keyPath: member] = newValue }
    }
}

/// The video of a day; most videos are not downloaded, and the record has only their address.
package struct VideoRecord: Hashable, Sendable {
    package var url: String
    /// The downloaded file; `nil` if it was never downloaded.
    package var file: RecordedFile?
    /// The header `ETag` of the download, which names the version of the file; `nil` if there was none.
    package var etag: String?
    /// The header `Last-Modified` of the download; `nil` if there was none.
    package var lastModified: String?
    /// The path of the redirect page, which opens the video in a browser; `nil` if there is none.
    var page: String?

    package var path: String? { file?.path }
    package var removed: Date? { file?.removed }
}

/// Why a day has neither picture nor video file, and since when.
package struct NoPictureRecord: Hashable, Sendable {
    /// The reason, for people.
    package var reason: String
    package var since: Date
    /// The path of the redirect page, which opens NASA's article in a browser; `nil` if there is none.
    var page: String?
}

extension DayRecord {
    enum FileKind: String, CaseIterable {
        case picture, video
    }

    /// The files that should be in the tree.
    package var files: [RecordedFile] { allFiles.filter { $0.removed == nil } }

    /// All recorded files, even if `--keep` removed them.
    package var allFiles: [RecordedFile] { [picture?.file, video?.file].compactMap(\.self) }

    /// The names of the recorded picture, video and page, even if these files are gone.
    package var fileNames: [String] {
        (allFiles.map(\.path) + [page].compactMap(\.self)).map { Layout.split($0).name }
    }

    /// The file of this kind; `nil` if the record names none, or if `--keep` removed it.
    func file(_ kind: FileKind) -> RecordedFile? {
        let file = recordedFile(kind)
        return file?.removed == nil ? file : nil
    }

    /// The recorded file of this kind, even if `--keep` removed it.
    func recordedFile(_ kind: FileKind) -> RecordedFile? {
        switch kind {
        case .picture: picture?.file
        case .video: video?.file
        }
    }

    /// Marks the file of this kind as removed at `time`; `nil` deletes the mark.
    mutating func setRemoved(_ kind: FileKind, _ time: Date?) {
        switch kind {
        case .picture: picture?.removed = time
        case .video: video?.file?.removed = time
        }
    }
}
