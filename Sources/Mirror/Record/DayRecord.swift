package import APOD
package import FoundationEssentials
internal import JSON

/// What the tree knows of one day: the contents of `metadata/2026/2026-11/2026-11-20.json`.
///
/// NASA's names of v1 come first, so that old tools can read it; then ours; then what somebody else
/// put there, which survives every rewrite.
package struct DayRecord: Hashable, Sendable {
    package var entry: EntryText
    package var picture: PictureRecord?
    package var video: VideoRecord?
    package var missing: MissingRecord?
    package var feed: String
    package var fetched: Date
    /// 1 at first, one more with every edit by NASA.
    package var revision: Int
    var unknown: [JSON.Member] = []
}

/// The words of an entry and the addresses it was made from.
package struct EntryText: Hashable, Sendable {
    package var day: Day
    package var title: String
    package var explanation: String
    package var mediaType: String
    /// The picture as NASA shows it, or the video.
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
    /// Where it came from.
    package var origin: String
    /// Whether NASA has a larger one than it served: looked for again, ever more rarely.
    package var isReduced: Bool
}

/// The video of a day.
package struct VideoRecord: Hashable, Sendable {
    package var url: String
    /// Relative to the root of the tree, where the file is kept.
    package var path: String?
    package var bytes: Int?
    package var sha256: String?
    /// The page beside the poster that opens the video in a browser, relative to the root.
    package var shortcut: String?
}

/// That a day has no picture yet, and why.
package struct MissingRecord: Hashable, Sendable {
    package var reason: String
    package var since: Date
}
