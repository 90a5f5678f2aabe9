internal import Platform
internal import Transfer

/// The URLs of pictures and videos in the HTML of an article, for ``MediaResolver``; those of a ``Placeholder`` are left out.
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

    /// The best image: the first one that is marked as primary, else one in NASA's archive of pictures, else the first one.
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

/// Reads the nodes of an article one after the other, and remembers which elements are open.
private struct MediaReader {
    /// The URL to which those of the article are relative.
    let base: WebURL
    var media = MediaMarkup()

    private var isInVideo = false
    /// The number of open elements that are not shown: the outermost hidden one and all elements in it.
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
            media.videoInText = media.videoInText ?? video(in: text)
        case .closing(let name):
            if hiddenDepth > 0 { hiddenDepth -= 1 }
            if name == "video" { isInVideo = false }
            if name == "a" { openLink = nil }
        }
    }

    private mutating func read(_ tag: MediaTag) {
        switch tag.name {
        case "a": openLink = tag.url("href").flatMap { $0.isPictureFile ? $0 : nil }
        case "picture": pictureSource = nil
        case "source" where isInVideo: media.video = media.video ?? tag.source
        case "source":
            // It may also be the source of an <audio>.
            guard let source = tag.source, source.isPictureFile else { return }
            pictureSource = pictureSource ?? source
        case "img":
            guard let source = tag.source(orElse: pictureSource.take()), !tag.isTiny else { return }
            media.images.append(
                MediaMarkup.Image(url: source, linked: openLink, isPrimary: tag.isPrimary))
        case "video":
            isInVideo = true
            media.video = media.video ?? tag.source
            media.poster = media.poster ?? tag.url("poster")
        case "iframe", "embed", "object", "param":
            guard hiddenDepth == 0, !tag.isHidden, let url = tag.embedded else { return }
            readEmbedded(url)
        default: break
        }
    }

    /// Reads the URL of a web page or a file that the article embeds.
    private mutating func readEmbedded(_ url: WebURL) {
        if url.isPictureFile {
            media.images.append(MediaMarkup.Image(url: url, linked: nil, isPrimary: false))
        } else if url.isOfKnownSite || url.isVideoFile {
            media.player = media.player ?? url
        } else if !url.isOfTagManager {
            media.otherFrame = media.otherFrame ?? url
        }
    }

    /// The maximum length of the URL of a video, in bytes.
    private static let maximumURLLength = 500

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

/// An opening tag, and the URLs in its attributes.
private struct MediaTag {
    let name: String
    let attributes: [String: String]
    let base: WebURL

    func url(_ attribute: String) -> WebURL? {
        let value = attributes[attribute]
        return WebURL(
            ofMedia: attribute.hasSuffix("srcset") ? value.flatMap(Self.largest) : value,
            relativeTo: base)
    }

    var source: WebURL? { source(orElse: nil) }

    /// The file that the element shows, preferably one in NASA's archive of pictures; `lastChoice` is used if it has none.
    ///
    /// A script may load the picture from another attribute than `src`, which has a generic picture until then.
    func source(orElse lastChoice: WebURL?) -> WebURL? {
        let sources = (HTMLNode.sources.map(url) + [lastChoice]).compactMap(\.self)
        return sources.first(where: \.isArchived) ?? sources.first
    }

    /// The page or file that an `<iframe>`, `<embed>`, `<object>` or `<param>` embeds.
    var embedded: WebURL? {
        switch name {
        case "object": return url("data")
        case "param":
            let isMedia = ["movie", "src"].contains(attributes["name"]?.lowercased())
            return isMedia ? url("value") : nil
        default: return url("src") ?? url("data-src")
        }
    }

    var isPrimary: Bool {
        attributes["class"]?.contains(bytes: "rollover__image--primary") ?? false
    }

    /// Whether a side has fewer than 16 pixels, as pictures have that count readers; WordPress writes 0 if it is unknown.
    var isTiny: Bool {
        ["width", "height"].contains {
            attributes[$0].flatMap { Int($0) }.map { 1..<16 ~= $0 } ?? false
        }
    }

    /// Whether a browser with scripts does not show the element, such as the frame of a service that counts readers.
    var isHidden: Bool {
        if attributes.isEmpty { return name == "noscript" }
        let style = (attributes["style"] ?? "").lowercased().filter { !$0.isWhitespace }
        return name == "noscript" || attributes["hidden"] != nil
            || ["display:none", "visibility:hidden"].contains { style.contains(bytes: $0) }
            || ["width", "height"].contains { ["0", "1"].contains(attributes[$0]) }
    }

    /// The URL of the largest picture in a `srcset`: `b.jpg` in `a.jpg 300w, b.jpg 1024w`.
    ///
    /// A URL may contain commas; only a comma at its end separates it from the next. See the HTML standard, 4.8.4.2.
    private static func largest(in srcset: String) -> String? {
        var pictures: [(url: Substring, size: Double)] = []
        /// A URL whose size may be the next word.
        var urlWithoutSize: Substring?
        for word in srcset.split(whereSeparator: \.isWhitespace) {
            let text = word.hasSuffix(",") ? word.dropLast() : word
            if let url = urlWithoutSize {
                pictures.append((url, Double(text.dropLast()) ?? 1))
                urlWithoutSize = nil
            } else if word.hasSuffix(",") {
                pictures.append((text, 1))
            } else {
                urlWithoutSize = word
            }
        }
        if let urlWithoutSize { pictures.append((urlWithoutSize, 1)) }
        return pictures.max { $0.size < $1.size }.map { String($0.url) }
    }
}

extension MediaMarkup.Image {
    /// The linked file if it is the original of the shown image, as `crab_big.png` is the original of `crab_1024.jpg`.
    ///
    /// The names of 98 % of such pairs in the archive begin alike, for at least half the length of the shorter name.
    var original: WebURL? {
        guard let linked else { return nil }
        let shownName = url.fileStem
        let linkedName = linked.fileStem
        let commonStart = zip(shownName, linkedName).prefix { $0 == $1 }
        let isHalf = 2 * commonStart.count >= min(shownName.count, linkedName.count)
        return isHalf || commonStart.last?.0 == "_" ? linked : nil
    }
}

extension WebURL {
    /// Parses the URL of a picture or video; that of a copy becomes that of the original, and a ``Placeholder`` fails.
    init?(ofMedia text: String?, relativeTo base: WebURL) {
        guard let url = text.flatMap({ WebURL(link: $0, relativeTo: base) }),
            !Placeholder.isName(url.text)
        else { return nil }
        self = url.ofStoredFile
    }

    /// Whether this is the URL of a video on a known site.
    fileprivate var isOfKnownVideo: Bool {
        youTubeIdentifier != nil || vimeoNumber != nil || (isNASA && isVideoFile)
    }

    /// Whether the site only counts readers, or loads scripts.
    fileprivate var isOfTagManager: Bool {
        [
            "adobedtm.com", "demdex.net", "digitalgov.gov", "doubleclick.net",
            "google-analytics.com", "googlesyndication.com", "googletagmanager.com",
        ].contains(domain)
    }

    /// The URL of the file that NASA's site stores if this is the URL of a reduced copy, else this URL.
    ///
    /// `/content/dam/a.jpg/jcr:content/renditions/b.png` and `/content/dam/a.jpg?w=300` become `/content/dam/a.jpg`. Below
    /// `/dynamicimage/assets/`, the query stays, because it has the size of the original.
    fileprivate var ofStoredFile: WebURL {
        guard path.hasPrefix("/content/dam/") || path.hasPrefix("/dynamicimage/assets/") else {
            return self
        }
        let marks = ["jcr:content", "jcr%3Acontent", "jcr%3acontent", "_jcr_content"]
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        if let mark = parts.dropLast().firstIndex(where: { marks.contains(String($0)) }) {
            return at(parts[..<mark].joined(separator: "/"))
        }
        return path.hasPrefix("/content/dam/") ? at(path) : self
    }
}
