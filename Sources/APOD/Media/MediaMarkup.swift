internal import Platform
internal import Transfer

/// The URLs of the pictures and videos in the HTML of NASA's article about a day.
///
/// ``MediaResolver`` chooses the picture and the video of the day from these URLs and other fields of the entry. URLs of a
/// ``Placeholder``, such as NASA's logo, are left out.
struct MediaMarkup: Hashable {
    struct Image: Hashable {
        /// The file that the article shows.
        let url: WebURL
        /// The file that opens when a reader clicks on the image, often the original; `nil` if the image is no link.
        let linked: WebURL?
        /// Whether the article marks it as the picture of the day, as opposed to a copy with annotations, for example.
        let isPrimary: Bool
    }

    /// The images in the order of the article.
    fileprivate(set) var images: [Image] = []
    /// The first file of a `<video>`.
    fileprivate(set) var video: WebURL?
    /// The still picture that a `<video>` shows before it plays.
    fileprivate(set) var poster: WebURL?
    /// The first player of a known site, or video file, in a visible `<iframe>`, `<embed>` or `<object>`.
    fileprivate(set) var player: WebURL?
    /// The first other web page in such an element, which may be an unknown player.
    fileprivate(set) var otherFrame: WebURL?
    /// The first text that consists of nothing but the URL of a video.
    fileprivate(set) var videoInText: WebURL?

    /// The best image: the first one that is marked as primary, else the first in NASA's archive, else the first one.
    var mainImage: Image? {
        images.first(where: \.isPrimary) ?? images.first(where: \.url.isArchived) ?? images.first
    }

    var mainVideo: WebURL? { video ?? player ?? videoInText }

    fileprivate init() {}

    /// Reads an `article`, whose URLs are relative to the address `page` unless the article has a `<base href>`.
    init(_ article: [HTMLNode], relativeTo page: WebURL) {
        var reader = MediaReader(base: article.base(relativeTo: page) ?? page)
        for node in article { reader.read(node) }
        self = reader.media
    }
}

extension MediaMarkup.Image {
    /// The linked file if it is the original of the shown image, as `crab_big.png` is the original of `crab_1024.jpg`.
    ///
    /// The names of 98 % of such pairs in the archive begin alike, for at least half the length of the shorter name. The rest
    /// after an underscore may be longer, because it often says the size.
    var original: WebURL? {
        guard let linked else { return nil }
        let shownName = url.fileStem
        let linkedName = linked.fileStem
        let commonStart = zip(shownName, linkedName).prefix { $0 == $1 }
        let isHalf = 2 * commonStart.count >= min(shownName.count, linkedName.count)
        let endsWithUnderscore = commonStart.last?.0 == "_"
        return isHalf || endsWithUnderscore ? linked : nil
    }
}

/// Reads the nodes of an article one after the other, and remembers which elements are open.
private struct MediaReader {
    /// The maximum length of the URL of a video in a text, in bytes.
    private static let maximumURLLength = 500

    /// The URL to which those of the article are relative.
    let base: WebURL
    var media = MediaMarkup()

    private var isInVideo = false
    /// The number of open elements that are not shown: the outermost hidden one and all elements in it.
    ///
    /// Even an element without contents, such as `<img>`, has a closing tag: see ``HTMLNode``.
    private var hiddenDepth = 0
    /// The picture to which the open `<a>` links.
    private var openLink: WebURL?
    /// The first picture in a `<source>` of the open `<picture>`, for an `<img>` that has no source itself.
    private var pictureSource: WebURL?

    init(base: WebURL) { self.base = base }

    mutating func read(_ node: HTMLNode) {
        switch node {
        case .opening(let name, let attributes):
            let tag = MediaTag(name: name, attributes: attributes, base: base)
            read(tag)
            if hiddenDepth > 0 || tag.isHidden { hiddenDepth += 1 }
        case .text(let text):
            if media.videoInText == nil { media.videoInText = video(in: text) }
        case .closing(let name):
            if hiddenDepth > 0 { hiddenDepth -= 1 }
            if name == "video" { isInVideo = false }
            if name == "a" { openLink = nil }
        }
    }

    private mutating func read(_ tag: MediaTag) {
        switch tag.name {
        case "a":
            let target = tag.url(in: "href")
            openLink = target?.isPictureFile == true ? target : nil
        case "picture": pictureSource = nil
        case "source" where isInVideo: addVideo(tag.source())
        case "source":
            // It may also be the source of an <audio>.
            guard let source = tag.source(), source.isPictureFile else { return }
            if pictureSource == nil { pictureSource = source }
        case "img":
            guard let source = tag.source(or: pictureSource.take()), !tag.isTiny else { return }
            media.images.append(
                MediaMarkup.Image(url: source, linked: openLink, isPrimary: tag.isPrimary))
        case "video":
            isInVideo = true
            addVideo(tag.source())
            if media.poster == nil { media.poster = tag.url(in: "poster") }
        case "iframe", "embed", "object", "param":
            guard hiddenDepth == 0, !tag.isHidden, let url = tag.embedded else { return }
            addEmbedded(url)
        default: break
        }
    }

    private mutating func addVideo(_ url: WebURL?) {
        if media.video == nil { media.video = url }
    }

    /// Adds the URL of a web page or a file that the article embeds.
    private mutating func addEmbedded(_ url: WebURL) {
        if url.isPictureFile {
            media.images.append(MediaMarkup.Image(url: url, linked: nil, isPrimary: false))
        } else if url.isOfKnownSite || url.isVideoFile {
            if media.player == nil { media.player = url }
        } else if !url.isTracker, media.otherFrame == nil {
            media.otherFrame = url
        }
    }

    /// The URL of a video if `text` is nothing else: WordPress replaces such a text by a player.
    private func video(in text: String) -> WebURL? {
        guard text.contains(bytes: "http") else { return nil }
        let word = TextNormalizer.trimmed(text)
        guard word.hasPrefix("http"), word.utf8.count < Self.maximumURLLength,
            !word.contains(where: \.isWhitespace),
            let url = WebURL(ofMedia: word, relativeTo: base), url.isOfKnownVideo
        else { return nil }
        return url
    }
}
