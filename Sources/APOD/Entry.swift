package import MediaFormat
internal import Platform
internal import Transfer

/// What NASA published for one day, decoded from any of its feeds: the texts, and the URLs of picture and video.
///
/// An entry is identified by its day, because NASA changes URLs and titles. All texts except ``explanationHTML`` are plain
/// Unicode without markup, entities, control characters and superfluous white space.
package struct Entry: Hashable, Sendable {
    /// The title of an entry without one.
    package static let untitled = "Astronomy Picture of the Day"

    package var day: Day
    package var title: String
    /// Plain text with a blank line between paragraphs; empty if NASA sends none.
    package var explanation: String
    /// HTML with absolute links, and without notes such as "Tomorrow's picture"; `nil` if the feed sends plain text.
    package var explanationHTML: String?
    /// NASA's word for the kind of media: `image`, `video`, `iframe`, `other`, or a word that NASA adds later.
    package var mediaType: String
    /// The authors of the picture; `nil` if NASA names none.
    package var credit: String?
    /// The copyright holder; `nil` if nobody claims the copyright.
    package var copyright: String?
    /// The license that the credit links to.
    package var license: License?
    /// The URL of the article on NASA's site.
    package var permalink: String?
    /// The alternative text of the picture.
    package var alt: String?
    package var media: Media
    /// The format in which NASA sent the entry.
    package var feed: FeedKind
    /// The way by which the entry came.
    package var route = Route.api
    /// When NASA last changed the article, in NASA's words: `2026-09-11T17:18:17-04:00`; `nil` if NASA does not say.
    package var modified: String?
    /// Why fields of NASA's entry were left out, such as "alt is not a text".
    package var problems: [String] = []
    /// Why ``media`` may lack what NASA's entry names, a sentence with one of the ``problems``; `nil` if there is none.
    package var mediaProblem: String?
}

/// The URLs of the pictures and the video of an entry.
package struct Media: Hashable, Sendable {
    /// The URLs of the picture or of the still picture of the video, in the order in which they are tried; may be empty.
    package var pictures: [PictureAddress]
    /// The absolute URL of the video.
    package var video: String?
    /// Whether ``video`` is a file on a host of NASA or of the feed, rather than a web page or a player.
    package var videoIsFile: Bool

    package init(pictures: [PictureAddress] = [], video: String? = nil, videoIsFile: Bool = false) {
        self.pictures = pictures
        self.video = video
        self.videoIsFile = videoIsFile
    }

    /// Whether the entry names no picture, or only a small one that NASA's site made of its video.
    package var namesNoPicture: Bool { pictures.allSatisfy(\.isRendition) }
}

/// A URL from which the picture of a day may be downloaded.
package struct PictureAddress: Hashable, Sendable {
    /// An absolute URL with `http` or `https`, percent-encoded.
    package var url: String
    /// The size of the original, if NASA names it: a downloaded picture that is smaller is a reduced copy.
    package var announcedSize: PixelSize?

    package init(_ url: String, announcedSize: PixelSize? = nil) {
        self.url = url
        self.announcedSize = announcedSize
    }

    /// Whether this is the URL of a film rather than that of a picture.
    package var isFilm: Bool { WebURL(link: url)?.isFilm ?? false }

    /// Whether this is the URL of a rendition: a small copy that NASA's store of pictures and videos makes of a file.
    package var isRendition: Bool { url.contains(bytes: WebURL.partBeforeRendition) }
}
