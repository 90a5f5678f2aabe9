internal import Transfer

/// Finds the URLs of the picture and of the video of an entry.
///
/// Elements of APOD Basic, NASA's feed since 2026, name a picture in `hdurl`, often a placeholder, and have the article in
/// `basic_html`. Elements of v1, the feed before it, name the media in `hdurl`, `url` and `thumbnail_url`.
struct MediaResolver: Sendable {
    /// The origin of the feed, such as `https://science.nasa.gov`, whose video files are mirrored.
    private let upstreamOrigin: String
    /// The URL to which the URLs of media are relative: NASA's site, whichever of NASA's hosts serves the feed.
    private let base: WebURL

    init(upstream: WebURL, base: WebURL? = nil) {
        upstreamOrigin = upstream.origin
        self.base = base ?? (upstream.isNASA ? LinkResolver.site : upstream.at("/"))
    }

    /// Returns the media of an element of APOD Basic, preferably a file in its `article`, as `hdurl` may be wrong.
    func basicMedia(of element: RawEntry, article: [HTMLNode], day: Day) -> Media {
        let markup = MediaMarkup(article, relativeTo: base)
        let field = url(element[.hdurl])
        // An article may show several images.
        let imageOfField = markup.images.first { $0.url.fileName == field?.fileName }
        let image = imageOfField ?? markup.mainImage
        // For an entry without a picture, `hdurl` names a generic image of the site.
        let isPlaceholder = imageOfField == nil && field?.isOnSiteOutsideArchive ?? false
        let picture = isPlaceholder ? nil : field
        // Beside an image, an unknown web page in a frame is no video.
        let video = markup.mainVideo ?? (image == nil ? markup.otherFrame : nil)
        if let video, element.mediaType != "image" || (image?.url ?? picture) == nil {
            // `hdurl` has the still picture of a video, while an image in the article may show anything.
            let stills = (picture ?? markup.poster).map { [$0] } ?? video.youTubePosters
            let others = [image?.url ?? (isVideoFile(video) ? video.thumbnailOfVideo : nil)]
            return media(pictures: stills.isEmpty ? others : stills, video: video, day: day)
        }
        let original = image?.original
        // Of two URLs of one file, that of `hdurl` is better: its query has the size of the original.
        let isFieldFirst =
            imageOfField != nil && (original ?? field)?.fileName == field?.fileName
        let pictures =
            isFieldFirst ? [picture, original, image?.url] : [original, image?.url, picture]
        return media(pictures: pictures, day: day)
    }

    /// Returns the media of an element of v1, whose field `url` has a picture or a video.
    func v1Media(of element: RawEntry, day: Day) -> Media {
        let large = unlessPlaceholder(element[.hdurl])
        let thumbnail = unlessPlaceholder(element[.thumbnailURL])
        let main = unlessPlaceholder(element[.url])
        let isPicture = element.mediaType == "image" || main?.isPictureFile ?? false
        guard !isPicture, let video = main else {
            return media(pictures: [large, main], day: day)
        }
        let stills = (large ?? thumbnail).map { [$0] } ?? video.youTubePosters
        return media(pictures: stills, video: video, day: day)
    }

    /// Parses a URL; `nil` for a generic image of the site.
    private func unlessPlaceholder(_ text: String?) -> WebURL? {
        url(text).flatMap { $0.isPictureFile && $0.isOnSiteOutsideArchive ? nil : $0 }
    }

    /// The media of an entry that names `pictures`, the best first, and `video`.
    private func media(pictures: [WebURL?], video: WebURL? = nil, day: Day) -> Media {
        let urls = pictures.compactMap(\.self).flatMap(\.withLargerPosters)
        // The entry of a picture may name a video file instead, which is the last candidate for the picture.
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
