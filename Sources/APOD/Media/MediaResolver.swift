internal import Transfer

/// Determines the media of an entry from the feed's fields, its article and known patterns.
struct MediaResolver: Sendable {
    /// The origin of the feed, whose video files are mirrored like those on NASA's hosts.
    private let upstream: String
    /// The URL to which links in entries are relative.
    private let base: WebURL

    init(upstream: WebURL) {
        self.upstream = upstream.origin
        base = upstream.isNASA ? "https://science.nasa.gov/" : upstream.at("/")
    }

    /// Returns the absolute URL of a web page; `nil` if `text` is not a web URL.
    func webPage(_ text: String?) -> String? {
        text.flatMap { WebURL(link: $0, relativeTo: base) }?.text
    }

    /// Returns the media of an element of APOD Basic; its `article` overrides the fields.
    func basicMedia(of element: RawEntry, article: [HTMLNode], day: Day) -> Media {
        let markup = MediaMarkup(article, relativeTo: base)
        let field = url(element.hdurl)
        let inArticle = markup.images.first { $0.fileName == field?.fileName }
        // A picture that is neither in the article nor in the archive is a placeholder.
        let isPlaceholder = inArticle == nil && field?.isElsewhereOnTheSite ?? false
        let picture = isPlaceholder ? nil : field
        let image = inArticle ?? markup.images.first(where: \.isArchived) ?? markup.images.first
        let video = markup.video ?? markup.frame ?? markup.videoInText
        if let video, element.mediaType != "image" || image ?? picture == nil {
            let poster = picture ?? markup.poster ?? video.youTubePoster ?? image
            return media(pictures: [poster], video: video, day: day)
        }
        // Of two URLs of one file, that of the field comes first.
        return media(pictures: inArticle == nil ? [image, picture] : [picture, image], day: day)
    }

    /// Returns the media of an element of v1.
    func v1Media(of element: RawEntry, day: Day) -> Media {
        let large = picture(element.hdurl)
        let small = picture(element.url)
        let thumbnail = picture(element.thumbnailURL)
        let isPicture = element.mediaType == "image" || small?.isPictureFile ?? false
        guard !isPicture, let video = small else {
            return media(pictures: [large, small], day: day)
        }
        return media(pictures: [large ?? thumbnail ?? video.youTubePoster], video: video, day: day)
    }

    /// Returns the URL of a picture; `nil` for one outside of NASA's archive, which is a placeholder.
    private func picture(_ text: String?) -> WebURL? {
        url(text).flatMap { $0.isPictureFile && $0.isElsewhereOnTheSite ? nil : $0 }
    }

    /// The media of an entry that names `pictures`, the best first, and `video`.
    private func media(pictures: [WebURL?], video: WebURL? = nil, day: Day) -> Media {
        let urls = pictures.compactMap(\.self)
        let video = video ?? urls.first(where: isVideoFile)
        return Media(
            pictures: PictureCandidates.addresses(of: urls, on: day),
            video: video?.text,
            videoIsFile: video.map(isVideoFile) ?? false)
    }

    private func url(_ text: String?) -> WebURL? {
        MediaMarkup.url(text, relativeTo: base)
    }

    /// Whether `url` is that of a video file on a host of NASA or of the feed.
    private func isVideoFile(_ url: WebURL) -> Bool {
        url.isVideoFile && (url.isNASA || url.origin == upstream)
    }
}
