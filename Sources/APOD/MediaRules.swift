/// Where the pictures and videos of an entry are: what NASA says, and what experience adds.
struct MediaRules: Sendable {
    /// The feed's own server: files there are mirrored as those on NASA's are.
    private let upstream: String
    /// The origin that relative addresses begin with.
    private let base: String

    init(upstream: WebAddress) {
        self.upstream = upstream.origin
        base = upstream.isNASA ? "https://science.nasa.gov" : upstream.origin
    }

    /// Where a web page is, absolute; `nil` where `text` is no address.
    func page(_ text: String?) -> String? {
        text.flatMap { WebAddress($0, relativeTo: base) }?.description
    }

    /// The media of an entry in the shape of APOD Basic: the page knows better than the fields.
    func media(of element: Element, page: [HTMLNode], day: Day) -> Media {
        let markup = MediaMarkup(page, relativeTo: base)
        let still = address(element.hdurl)
        let video = markup.video ?? markup.frame
        if let video, element.mediaType != "image" || markup.image ?? still == nil {
            let poster = still ?? markup.poster ?? video.youTubePoster ?? markup.image
            return media(pictures: [poster], video: video, day: day)
        }
        guard let image = markup.image, let still, image.fileName == still.fileName else {
            return media(pictures: [markup.image, still], day: day)
        }
        return media(pictures: [still, image], day: day)
    }

    /// The media of an entry in the v1 shape.
    func media(of element: Element, day: Day) -> Media {
        let large = address(element.hdurl)
        let small = address(element.url)
        let thumbnail = address(element.thumbnailURL)
        let isPicture = element.mediaType == "image" || small?.isPictureFile ?? false
        guard !isPicture, let video = small else {
            return media(pictures: [large, small], day: day)
        }
        return media(pictures: [large ?? thumbnail ?? video.youTubePoster], video: video, day: day)
    }

    private func media(pictures: [WebAddress?], video: WebAddress? = nil, day: Day) -> Media {
        let addresses = pictures.compactMap(\.self)
        let video = video ?? addresses.first(where: isOwnVideo)
        return Media(
            pictures: PictureCandidates(of: addresses, on: day).pictures,
            video: video?.description,
            videoIsFile: video.map(isOwnVideo) ?? false)
    }

    private func address(_ text: String?) -> WebAddress? {
        MediaMarkup.address(text, relativeTo: base)
    }

    private func isOwnVideo(_ address: WebAddress) -> Bool {
        ["mp4", "webm"].contains(address.pathExtension)
            && (address.isNASA || address.origin == upstream)
    }
}
