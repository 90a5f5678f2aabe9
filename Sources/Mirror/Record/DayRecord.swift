package import APOD
package import FoundationEssentials
internal import JSON
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
    package var lastChanged: Date
    /// 1 for the first entry of the day, and one more after each edit by NASA.
    package var revision: Int
    /// The `article:modified_time` of NASA's web page when all files were last requested; `nil` if it is not known.
    ///
    /// If it changes, NASA may have replaced a file without changing its address.
    var modified: String?
    /// The keys in the file that this program does not know: see ``unknownKeys(of:)``.
    var unknown: [JSON.Member] = []
}

// MARK: The files of the day

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

    /// The size of the picture and the video in bytes, even if `--keep` removed them.
    package var bytes: Int { allFiles.lazy.map(\.bytes).saturatingSum() }

    /// The path of the picture, or of the video if there is no picture.
    package var mediaPath: String? { picture?.path ?? video?.path }

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

    // MARK: Files that `--keep` removed

    /// When `--keep` removed the picture, or the video of a day without a picture; `nil` if it did not.
    package var removed: Date? {
        if let picture { picture.removed } else { video?.removed }
    }

    /// Marks the file of this kind as removed at `time`; `nil` deletes the mark.
    mutating func setRemoved(_ kind: FileKind, _ time: Date?) {
        switch kind {
        case .picture: picture?.removed = time
        case .video: video?.file?.removed = time
        }
    }

    /// Forgets the removed video file, so that the address of the video leads to NASA again; does nothing if there is none.
    mutating func forgetRemovedVideo() {
        guard let url = video?.url, video?.removed != nil else { return }
        video = VideoRecord(url: url, page: video?.page)
    }

    // MARK: The redirect page

    /// The path of the redirect page, which opens the video in a browser, or NASA's article if there is no picture.
    package var page: String? { video == nil ? noPicture?.page : video?.page }

    /// Sets the ``page``; does nothing if the record has a picture and no video, because such a day has no page.
    mutating func setPage(_ path: String?) {
        if video == nil { noPicture?.page = path } else { video?.page = path }
    }
}
