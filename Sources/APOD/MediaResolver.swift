/// Where the pictures and videos of an entry are: what NASA says, and what experience adds.
struct MediaResolver: Sendable {
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
    func media(of element: RawEntry, page: [HTMLNode], day: Day) -> Media {
        let markup = MediaMarkup(page, relativeTo: base)
        let named = address(element.hdurl)
        let same = named.flatMap { named in
            markup.images.first { $0.fileName == named.fileName }
        }
        // What the page does not show and the archive does not hold is a placeholder.
        let still = named.flatMap { $0.isElsewhereOnTheSite && same == nil ? nil : $0 }
        let image = same ?? markup.images.first(where: \.isArchived) ?? markup.images.first
        let video = markup.video ?? markup.frame ?? markup.text
        if let video, element.mediaType != "image" || image ?? still == nil {
            let poster = still ?? markup.poster ?? video.youTubePoster ?? image
            return media(pictures: [poster], video: video, day: day)
        }
        return media(pictures: same == nil ? [image, still] : [still, image], day: day)
    }

    /// The media of an entry in the v1 shape.
    func media(of element: RawEntry, day: Day) -> Media {
        let large = picture(element.hdurl)
        let small = picture(element.url)
        let thumbnail = picture(element.thumbnailURL)
        let isPicture = element.mediaType == "image" || small?.isPictureFile ?? false
        guard !isPicture, let video = small else {
            return media(pictures: [large, small], day: day)
        }
        return media(pictures: [large ?? thumbnail ?? video.youTubePoster], video: video, day: day)
    }

    /// Where NASA's site has a picture outside of the archive, it is a placeholder.
    private func picture(_ text: String?) -> WebAddress? {
        address(text).flatMap { $0.isPictureFile && $0.isElsewhereOnTheSite ? nil : $0 }
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
