internal import Transfer

/// Chooses the URLs of the picture and of the video of a day from the many URLs in its entry, for ``EntryDecoder``.
///
/// An entry of APOD Basic, NASA's API since 2026, has the URL of a picture in the field `hdurl`, which is often that of a
/// generic picture, and other URLs in the HTML of the article. An entry of v1, the API before, has URLs in the fields
/// `hdurl`, `url` and `thumbnail_url`.
///
/// An *image* is a picture that the article shows, perhaps with a link to its *original*. A *poster* is what a player shows
/// before the video, and a *thumbnail* a small picture of it. Any of these may be the *still*: the picture of a day with a video.
struct MediaResolver: Sendable {
    /// The origin of the feed, such as `https://science.nasa.gov`; its video files can be downloaded.
    private let upstreamOrigin: String
    /// The URL to which the URLs of media are relative.
    private let base: WebURL

    /// Creates a resolver for the feed at `upstream`.
    ///
    /// Without a `base`, URLs are relative to NASA's site if the feed is on a host of NASA, or else to the host of the feed.
    init(upstream: WebURL, base: WebURL? = nil) {
        upstreamOrigin = upstream.origin
        self.base = base ?? (upstream.isNASA ? LinkResolver.newSite : upstream.at("/"))
    }

    /// Returns the media of an entry of APOD Basic with the nodes of its `article`.
    func basicMedia(of element: RawEntry, article: [HTMLNode], day: Day) -> Media {
        let markup = MediaMarkup(article, relativeTo: base)
        let hdurl = WebURL(ofMedia: element[.hdurl], relativeTo: base)
        let pictures = BasicPictures(hdurl: hdurl, markup: markup)
        // An unknown web page in a frame counts as a video only if the article has no image.
        let unknownPlayer = pictures.image == nil ? markup.otherFrame : nil
        let isPicture = element.mediaType == "image" && !pictures.bestFirst.isEmpty
        if !isPicture, let video = markup.mainVideo ?? unknownPlayer {
            let stills = stills(of: video, in: pictures, poster: markup.poster)
            return media(pictures: stills, video: video, on: day)
        }
        return pictureMedia(pictures.bestFirst, on: day)
    }

    /// Returns the media of an entry of v1, whose field `url` is that of a picture or a video.
    func v1Media(of element: RawEntry, day: Day) -> Media {
        let hdurl = urlUnlessGenericPicture(element[.hdurl])
        let main = urlUnlessGenericPicture(element[.url])
        let isPicture = element.mediaType == "image" || main?.isPictureFile == true
        if !isPicture, let video = main {
            let still = hdurl ?? urlUnlessGenericPicture(element[.thumbnailURL])
            let stills = still.map { [$0] } ?? video.youTubePosters
            return media(pictures: stills, video: video, on: day)
        }
        return pictureMedia([hdurl, main].compactMap(\.self), on: day)
    }

    /// Parses a URL of v1; `nil` for that of a generic picture, such as a logo, but not for that of a video file.
    private func urlUnlessGenericPicture(_ text: String?) -> WebURL? {
        guard let url = WebURL(ofMedia: text, relativeTo: base) else { return nil }
        return url.isPictureFile && url.isOnSiteOutsideArchive ? nil : url
    }

    /// Returns the URLs of the still picture of a `video`, the best first, from the first source that has one.
    private func stills(of video: WebURL, in pictures: BasicPictures, poster: WebURL?) -> [WebURL] {
        if let still = pictures.hdurl ?? poster { return [still] }
        let posters = video.youTubePosters
        if !posters.isEmpty { return posters }
        // The image of an article may show anything: it comes after those that certainly belong to the video.
        if let image = pictures.image { return [image.url] }
        // The thumbnail that NASA makes of a video file is small, so it is the last choice.
        return isVideoFile(video) ? [video.thumbnailOfVideo].compactMap(\.self) : []
    }

    /// Returns the media of a day without a player: its pictures, perhaps none, one of which may be the URL of a video file.
    private func pictureMedia(_ urls: [WebURL], on day: Day) -> Media {
        media(pictures: urls, video: urls.first(where: isVideoFile), on: day)
    }

    /// Adds more candidates to the URLs of `pictures`, of which the first is the best, and puts the media together.
    private func media(pictures: [WebURL], video: WebURL?, on day: Day) -> Media {
        Media(
            pictures: PictureCandidates.addresses(
                of: pictures.flatMap(\.withLargerPosters), on: day),
            video: video?.text,
            videoIsFile: video.map(isVideoFile) ?? false)
    }

    /// Whether `url` is that of a video file on a host of NASA or of the feed.
    private func isVideoFile(_ url: WebURL) -> Bool {
        url.isVideoFile && (url.isNASA || url.origin == upstreamOrigin)
    }
}

/// The pictures in an entry of APOD Basic.
private struct BasicPictures {
    /// The field `hdurl`; `nil` if it is that of a generic picture of the site, as in an entry without a picture.
    let hdurl: WebURL?
    /// The image of the article that shows the file of `hdurl`, or else the main image of the article.
    let image: MediaMarkup.Image?
    /// The URLs of the picture, the best first: usually those in the article, because `hdurl` may be wrong.
    let bestFirst: [WebURL]

    init(hdurl: WebURL?, markup: MediaMarkup) {
        if let hdurl, let image = markup.images.first(where: { $0.url.fileName == hdurl.fileName })
        {
            // A picture that the article shows is that of the day, even outside of the archive.
            self.hdurl = hdurl
            self.image = image
            // If `hdurl` is that of the original, too, it is the best, because its query has the size.
            let isOneFile = (image.original ?? image.url).fileName == hdurl.fileName
            bestFirst = isOneFile ? [hdurl] + image.bestFirst : image.bestFirst + [hdurl]
        } else {
            self.hdurl = hdurl?.isOnSiteOutsideArchive == true ? nil : hdurl
            image = markup.mainImage
            bestFirst = (image?.bestFirst ?? []) + [self.hdurl].compactMap(\.self)
        }
    }
}

extension MediaMarkup.Image {
    fileprivate var bestFirst: [WebURL] { [original, url].compactMap(\.self) }
}
