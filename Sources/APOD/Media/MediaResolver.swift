internal import Transfer

/// Decides which of the URLs in an entry are those of its picture and of its video, for ``EntryDecoder``.
///
/// An entry of APOD Basic, NASA's API since 2026, has the URL of a picture in the field `hdurl`, which is often that of a
/// generic picture, and other URLs in the HTML of the article. An entry of v1, the API before, has URLs in the fields
/// `hdurl`, `url` and `thumbnail_url`.
struct MediaResolver: Sendable {
    /// The origin of the feed, such as `https://science.nasa.gov`; its video files can be downloaded.
    private let upstreamOrigin: String
    /// The URL to which the URLs of media are relative.
    private let base: WebURL

    /// Creates a resolver for the entries of the feed at `upstream`.
    ///
    /// Without a `base`, URLs are relative to NASA's site, whichever of NASA's hosts the feed is on, or else to `upstream`.
    init(upstream: WebURL, base: WebURL? = nil) {
        upstreamOrigin = upstream.origin
        self.base = base ?? (upstream.isNASA ? LinkResolver.site : upstream.at("/"))
    }

    /// Returns the media of an entry of APOD Basic with the nodes of its `article`.
    ///
    /// A picture in the article is preferred to the field `hdurl`, which may be wrong.
    func basicMedia(of element: RawEntry, article: [HTMLNode], day: Day) -> Media {
        let markup = MediaMarkup(article, relativeTo: base)
        let hdurl = url(element[.hdurl])
        // An article may show several images.
        let imageOfHDURL = markup.images.first { $0.url.fileName == hdurl?.fileName }
        let image = imageOfHDURL ?? markup.mainImage
        // In an entry without a picture, `hdurl` is the URL of a generic picture of the site.
        let isGeneric = imageOfHDURL == nil && hdurl?.isOnSiteOutsideArchive ?? false
        let picture = isGeneric ? nil : hdurl
        // An unknown web page in a frame counts as a video only if the article has no image.
        let video = markup.mainVideo ?? (image == nil ? markup.otherFrame : nil)
        if let video, element.mediaType != "image" || (image?.url ?? picture) == nil {
            // `hdurl` is the still picture of the video, while an image in the article may show anything.
            let stills = (picture ?? markup.poster).map { [$0] } ?? video.youTubePosters
            let lastChoice = image?.url ?? (isVideoFile(video) ? video.thumbnailOfVideo : nil)
            return media(pictures: stills.isEmpty ? [lastChoice] : stills, video: video, day: day)
        }
        let original = image?.original
        // If both are URLs of one file, `hdurl` is better, because its query has the size of the original.
        let isHDURLBest =
            imageOfHDURL != nil && (original ?? hdurl)?.fileName == hdurl?.fileName
        let pictures =
            isHDURLBest ? [picture, original, image?.url] : [original, image?.url, picture]
        return media(pictures: pictures, day: day)
    }

    /// Returns the media of an entry of v1, whose field `url` is that of a picture or a video.
    func v1Media(of element: RawEntry, day: Day) -> Media {
        let hdurl = urlUnlessGeneric(element[.hdurl])
        let thumbnail = urlUnlessGeneric(element[.thumbnailURL])
        let main = urlUnlessGeneric(element[.url])
        let isPicture = element.mediaType == "image" || main?.isPictureFile ?? false
        guard !isPicture, let video = main else {
            return media(pictures: [hdurl, main], day: day)
        }
        let stills = (hdurl ?? thumbnail).map { [$0] } ?? video.youTubePosters
        return media(pictures: stills, video: video, day: day)
    }

    /// Parses a URL; `nil` for the URL of a generic picture of NASA's site, such as a logo.
    private func urlUnlessGeneric(_ text: String?) -> WebURL? {
        url(text).flatMap { $0.isPictureFile && $0.isOnSiteOutsideArchive ? nil : $0 }
    }

    /// Returns the media of an entry that names `pictures`, of which the first is the best, and perhaps a `video`.
    private func media(pictures: [WebURL?], video: WebURL? = nil, day: Day) -> Media {
        let urls = pictures.compactMap(\.self).flatMap(\.withLargerPosters)
        // An entry may have the URL of a video file in the field of the picture.
        let video = video ?? urls.first(where: isVideoFile)
        return Media(
            pictures: PictureCandidates.addresses(of: urls, on: day),
            video: video?.text,
            videoIsFile: video.map(isVideoFile) ?? false)
    }

    private func url(_ text: String?) -> WebURL? {
        WebURL(ofMedia: text, relativeTo: base)
    }

    /// Whether `url` is that of a video file on a host of NASA or of the feed.
    private func isVideoFile(_ url: WebURL) -> Bool {
        url.isVideoFile && (url.isNASA || url.origin == upstreamOrigin)
    }
}
