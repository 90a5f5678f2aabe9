package import APOD
package import FoundationEssentials
internal import JSON
internal import Platform

/// The record of one day: `metadata/2026/2026-11/2026-11-20.json`.
///
/// The keys of NASA's API v1 come first, so that existing tools can read the file; then our own keys;
/// then unknown keys, which every rewrite preserves.
package struct DayRecord: Hashable, Sendable {
    package var entry: EntryText
    package var picture: PictureRecord?
    package var video: VideoRecord?
    package var missing: MissingRecord?
    package var feed: String
    package var fetched: Date
    /// Starts at 1; incremented by each edit by NASA.
    package var revision: Int
    /// When NASA last changed the article, in its words; the picture is as NASA served it since.
    var modified: String?
    var unknown: [JSON.Member] = []
}

extension DayRecord {
    /// When retention removed the picture, or the video of a day without one; `nil` if it is in the tree.
    package var removed: Date? { picture.map(\.removed) ?? video?.removed }

    /// The path of the picture, else of the video.
    package var mediaPath: String? { picture?.path ?? video?.path }

    /// The page beside the pictures that opens the video, or NASA's article where there is no picture; relative
    /// to the root.
    package var page: String? {
        get { video == nil ? missing?.page : video?.page }
        set { if video == nil { missing?.page = newValue } else { video?.page = newValue } }
    }

    /// The bytes of picture and video.
    package var bytes: Int { (picture?.bytes ?? 0).addingSaturating(video?.bytes ?? 0) }
}

/// The texts and addresses of an entry.
package struct EntryText: Hashable, Sendable {
    package var day: Day
    package var title: String
    package var explanation: String
    package var mediaType: String
    /// The picture as NASA displays it, or the video.
    package var url: String?
    /// The original of the picture.
    package var hdurl: String?
    package var copyright: String?
    package var credit: String?
    package var license: License?
    package var permalink: String?
    package var alt: String?
    package var explanationHTML: String?

    package init(_ entry: Entry) {
        day = entry.day
        title = entry.title
        explanation = entry.explanation
        mediaType = entry.mediaType
        url = entry.media.video ?? entry.media.pictures.first?.url
        hdurl = entry.media.video == nil ? entry.media.pictures.first?.url : nil
        copyright = entry.copyright
        credit = entry.credit
        license = entry.license
        permalink = entry.permalink
        alt = entry.alt
        explanationHTML = entry.explanationHTML
        normalize()
    }

    /// Removes what no record may have, and cuts texts that are longer than ``TextLimit``: a new record and one that
    /// is read agree.
    mutating func normalize() {
        title = title.plainText.cut(to: TextLimit.line)
        // mutant: record-text-limit
        explanation = explanation.plainText.cut(to: TextLimit.article)
        explanationHTML = explanationHTML?.ifShort(TextLimit.article)?.nonEmpty
        mediaType = mediaType.cut(to: TextLimit.line).nonEmpty ?? "other"
        copyright = copyright?.cut(to: TextLimit.credit).nonEmpty
        credit = credit?.cut(to: TextLimit.credit).nonEmpty
        alt = alt?.cut(to: TextLimit.line).nonEmpty
        (url, hdurl, permalink) = (url?.webAddress, hdurl?.webAddress, permalink?.webAddress)
        license = license.flatMap {
            $0.name.ifShort(TextLimit.line)?.nonEmpty != nil && $0.url.webAddress != nil ? $0 : nil
        }
    }
}

/// The picture of a day, or the poster of its video.
package struct PictureRecord: Hashable, Sendable {
    /// Relative to the root of the tree.
    package var path: String
    package var bytes: Int
    /// 64 lower-case hexadecimal digits.
    package var sha256: String
    package var type: String
    /// In pixels.
    package var width: Int
    /// In pixels.
    package var height: Int
    package var etag: String?
    package var lastModified: String?
    /// The URL it was downloaded from.
    package var origin: String
    /// Whether NASA announces a larger picture than it served; retried with growing delays.
    package var isReduced: Bool
    /// When retention removed the file; `nil` if the file is in the tree.
    package var removed: Date?
}

/// The video of a day.
package struct VideoRecord: Hashable, Sendable {
    package var url: String
    /// Relative to the root of the tree; `nil` if the file is not downloaded.
    package var path: String?
    package var bytes: Int?
    package var sha256: String?
    package var etag: String?
    package var lastModified: String?
    /// When retention removed the file; `nil` if it is in the tree, or was never downloaded.
    package var removed: Date?
    var page: String?
}

/// Why a day has no picture.
package struct MissingRecord: Hashable, Sendable {
    package var reason: String
    package var since: Date
    var page: String?
}

// MARK: Files

/// A file with the size and hash that its record has.
package struct RecordedFile: Hashable, Sendable {
    package let path: String
    package let bytes: Int
    package let sha256: String
    /// When retention removed the file.
    var removed: Date?
}

extension RecordedFile {
    /// What it is, for people.
    var words: String {
        "the \(path.hasSuffix(".mp4") ? "video" : "picture") of \(counted(bytes, "byte"))"
    }

    init(_ picture: PictureRecord) {
        self.init(
            path: picture.path, bytes: picture.bytes, sha256: picture.sha256,
            removed: picture.removed)
    }

    /// Returns `nil` if the video was never downloaded.
    init?(_ video: VideoRecord) {
        guard let path = video.path, let bytes = video.bytes, let sha256 = video.sha256 else {
            return nil
        }
        self.init(path: path, bytes: bytes, sha256: sha256, removed: video.removed)
    }
}

extension DayRecord {
    enum FileKind: String, CaseIterable {
        case picture, video
    }

    /// The files in the tree.
    package var files: [RecordedFile] { allFiles.filter { $0.removed == nil } }

    /// The files in the tree, and those that retention removed.
    package var allFiles: [RecordedFile] { FileKind.allCases.compactMap { anyFile($0) } }

    /// The file of that kind in the tree.
    func file(_ kind: FileKind) -> RecordedFile? {
        anyFile(kind).flatMap { $0.removed == nil ? $0 : nil }
    }

    func removedFile(_ kind: FileKind) -> RecordedFile? {
        anyFile(kind).flatMap { $0.removed == nil ? nil : $0 }
    }

    mutating func setRemoved(_ kind: FileKind, _ time: Date?) {
        switch kind {
        case .picture: picture?.removed = time
        case .video: video?.removed = time
        }
    }

    private func anyFile(_ kind: FileKind) -> RecordedFile? {
        switch kind {
        case .picture: picture.map { RecordedFile($0) }
        case .video: video.flatMap { RecordedFile($0) }
        }
    }
}
