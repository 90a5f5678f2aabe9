/// What NASA published for one day, in one shape whichever feed it came from.
///
/// The date is its identity: never the address, never the title. All text is clean: plain Unicode
/// without markup, entities or control characters, trimmed, white space folded.
package struct Entry: Hashable, Sendable {
    package var day: Day
    package var title: String
    /// The explanation as plain text, paragraphs apart by a blank line; empty where NASA has none.
    package var explanation: String
    /// The explanation as HTML with absolute links, without notes such as "Tomorrow's picture"; `nil`
    /// from feeds that send plain text.
    package var explanationHTML: String?
    /// As NASA says it: `image`, `video`, `iframe`, `other`.
    package var mediaType: String
    /// Who made the picture; `nil` where NASA says nothing.
    package var credit: String?
    /// Who holds the copyright; `nil` where none is claimed.
    package var copyright: String?
    /// The licence that the credit links to.
    package var license: License?
    /// The article on NASA's site.
    package var permalink: String?
    /// The picture in words, for those who cannot see it.
    package var alt: String?
    package var media: Media
    package var feed: FeedKind
}

/// A licence that a picture may be used under.
package struct License: Hashable, Sendable {
    /// As the credit calls it: `CC BY 4.0`.
    package var name: String
    /// Its text, absolute.
    package var url: String

    package init(name: String, url: String) {
        self.name = name
        self.url = url
    }
}

/// Where the pictures and videos of one entry are.
package struct Media: Hashable, Sendable {
    /// The addresses of the picture, or of a video's poster, to be tried one after the other, the
    /// original first; empty where NASA names none, or only a stand-in.
    package var pictures: [PictureAddress]
    /// The video's address, absolute.
    package var video: String?
    /// Whether ``video`` is a file on NASA's own host rather than a page or a player.
    package var videoIsFile: Bool

    package init(
        pictures: [PictureAddress] = [], video: String? = nil, videoIsFile: Bool = false
    ) {
        self.pictures = pictures
        self.video = video
        self.videoIsFile = videoIsFile
    }
}

/// One place where a picture may be.
package struct PictureAddress: Hashable, Sendable {
    /// Absolute, `http` or `https`, percent-encoded.
    package var url: String
    /// Natural width in pixels where NASA says it; what comes smaller is a reduced copy.
    package var width: Int?
    /// Natural height in pixels where NASA says it.
    package var height: Int?

    package init(_ url: String, width: Int? = nil, height: Int? = nil) {
        self.url = url
        self.width = width
        self.height = height
    }
}

/// The shapes in which entries are served.
package enum FeedKind: String, Hashable, Sendable, CaseIterable {
    /// `science.nasa.gov/wp-json/wp/v2/apod-basic`, since 2026.
    case basic
    /// `api.nasa.gov/planetary/apod` until 2026, and all that speak like it.
    case v1
}
