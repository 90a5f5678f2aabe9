internal import Platform
internal import Transfer

/// The URLs of the media in the HTML of an article, for ``MediaResolver``.
///
/// A ``Placeholder``, the generic picture that NASA shows instead of one that it lost, is left out.
struct MediaMarkup: Hashable {
    struct Image: Hashable {
        /// The file that the article shows.
        let url: WebURL
        /// The file to which the image is a link.
        let linked: WebURL?
        /// Whether it is the picture itself of two, of which the other, with annotations, shows when the mouse is on it.
        let isPrimary: Bool
    }

    /// The images, in the order of the article.
    private(set) var images: [Image] = []
    /// The first source of a `<video>`.
    private(set) var video: WebURL?
    /// The still picture that a `<video>` shows before it plays.
    private(set) var poster: WebURL?
    /// The first player of a known site, or file of a video, in an `<iframe>`, `<embed>` or `<object>` that is visible.
    private(set) var player: WebURL?
    /// The first other web page in such an element, perhaps that of an unknown player.
    private(set) var otherFrame: WebURL?
    /// The first text that consists of the URL of a video.
    private(set) var videoInText: WebURL?

    /// Longer text is no URL of a video.
    private static let maximumVideoBytes = 500
    private var isInVideo = false
    /// The number of open elements whose contents are not shown: the outermost hidden one and all in it; else 0.
    private var hiddenDepth = 0
    /// The file to which the open `<a>` links.
    private var openLink: WebURL?
    /// The first source in the open `<picture>`, for an image without a source of its own.
    private var offered: WebURL?

    /// Reads the page `article` at the URL `page`, to which its URLs are relative unless it has a `<base href>`.
    init(_ article: [HTMLNode], relativeTo page: WebURL) {
        let base = article.base(relativeTo: page) ?? page
        for node in article {
            switch node {
            case .opening(let name, let attributes):
                readTag(name, attributes) { name in
                    let value = attributes[name]
                    return Self.url(
                        name.hasSuffix("srcset") ? value.flatMap(Self.largest) : value,
                        relativeTo: base)
                }
                if hiddenDepth > 0 || Self.isHidden(name, attributes) { hiddenDepth += 1 }
            case .text(let text):
                // A block that embeds a video may contain the bare URL.
                guard videoInText == nil, text.contains(bytes: "http") else { continue }
                let word = TextNormalizer.trimmed(text)
                guard word.hasPrefix("http"), word.utf8.count < Self.maximumVideoBytes,
                    !word.contains(where: \.isWhitespace),
                    let url = Self.url(word, relativeTo: base), url.isOfKnownVideo
                else { continue }
                videoInText = url
            case .closing(let name):
                if hiddenDepth > 0 { hiddenDepth -= 1 }
                if name == "video" { isInVideo = false }
                if name == "a" { openLink = nil }
            }
        }
    }

    /// Reads an opening tag; `url` parses the URL in the attribute of a name.
    private mutating func readTag(
        _ name: String, _ attributes: [String: String], url: (String) -> WebURL?
    ) {
        // A script loads what is scrolled into sight from the other attributes; `src` may have a generic picture until then.
        func source(orElse offered: WebURL? = nil) -> WebURL? {
            let sources = (HTMLNode.sources.map(url) + [offered]).compactMap(\.self)
            return sources.first(where: \.isArchived) ?? sources.first
        }
        switch name {
        case "a": openLink = url("href").flatMap { $0.isPictureFile ? $0 : nil }
        case "picture": offered = nil
        // In an <audio>, it is neither a picture nor a video.
        case "source" where !isInVideo:
            offered = offered ?? source().flatMap { $0.isPictureFile ? $0 : nil }
        case "img":
            // Web pages count their readers by such pictures. Without a known size, WordPress writes 0.
            let isTiny = ["width", "height"].contains {
                attributes[$0].flatMap { Int($0) }.map { 1..<16 ~= $0 } ?? false
            }
            guard let source = source(orElse: offered.take()), !isTiny else { return }
            let isPrimary = attributes["class"]?.contains(bytes: "rollover__image--primary")
            images.append(Image(url: source, linked: openLink, isPrimary: isPrimary ?? false))
        case "video":
            isInVideo = true
            video = video ?? source()
            poster = poster ?? url("poster")
        case "source": video = video ?? source()
        case "iframe", "embed", "object", "param": readFrame(name, attributes, url: url)
        default: break
        }
    }

    /// Reads the opening tag of an element that embeds another page or a file; a hidden one is no player of any site.
    private mutating func readFrame(
        _ name: String, _ attributes: [String: String], url: (String) -> WebURL?
    ) {
        guard hiddenDepth == 0, !Self.isHidden(name, attributes) else { return }
        switch name {
        case "object": embed(url("data"))
        case "param":
            guard ["movie", "src"].contains(attributes["name"]?.lowercased()) else { return }
            embed(url("value"))
        default: embed(url("src") ?? url("data-src"))
        }
    }

    /// The URL of the largest picture in a `srcset`, such as `a.jpg 300w, b.jpg 1024w`; `nil` if it has none.
    ///
    /// A URL may contain commas: only one at its end separates it from the next; see the HTML standard, 4.8.4.2.
    private static func largest(in sources: String) -> String? {
        var pictures: [(url: Substring, size: Double)] = []
        var url: Substring?
        for word in sources.split(whereSeparator: \.isWhitespace) {
            let text = word.hasSuffix(",") ? word.dropLast() : word
            if let named = url {
                pictures.append((named, Double(text.dropLast()) ?? 1))
                url = nil
            } else if word.hasSuffix(",") {
                pictures.append((text, 1))
            } else {
                url = word
            }
        }
        if let url { pictures.append((url, 1)) }
        return pictures.max { $0.size < $1.size }.map { String($0.url) }
    }

    /// Whether a browser with scripts shows nothing of an element: services that count visitors use such frames.
    private static func isHidden(_ name: String, _ attributes: [String: String]) -> Bool {
        let style = (attributes["style"] ?? "").lowercased().filter { !$0.isWhitespace }
        return name == "noscript" || attributes["hidden"] != nil
            || ["display:none", "visibility:hidden"].contains { style.contains(bytes: $0) }
            || ["width", "height"].contains { ["0", "1"].contains(attributes[$0]) }
    }

    private mutating func embed(_ url: WebURL?) {
        guard let url else { return }
        if url.isPictureFile {
            images.append(Image(url: url, linked: nil, isPrimary: false))
        } else if url.isOfKnownSite || url.isVideoFile {
            player = player ?? url
        } else if !url.isOfTagManager {
            otherFrame = otherFrame ?? url
        }
    }

    /// Parses the URL of a file and changes it to that of the whole file; `nil` results from a placeholder, too.
    static func url(_ text: String?, relativeTo base: WebURL) -> WebURL? {
        guard let url = text.flatMap({ WebURL(link: $0, relativeTo: base) }),
            !Placeholder.isName(url.text)
        else { return nil }
        return url.ofWholeFile
    }
}

extension MediaMarkup.Image {
    /// The linked file if it is the original of the image that is shown, as `crab_big.png` is of `crab_1024.jpg`.
    ///
    /// In the archive, 98 % of such pairs have a common beginning of half the shorter name.
    var original: WebURL? {
        guard let linked else { return nil }
        let (shown, large) = (url.fileStem, linked.fileStem)
        let beginning = zip(shown, large).prefix { $0 == $1 }
        let isSame = 2 * beginning.count >= min(shown.count, large.count)
        return isSame || beginning.last?.0 == "_" ? linked : nil
    }
}

extension WebURL {
    /// Whether this is the URL of a video on a known site.
    fileprivate var isOfKnownVideo: Bool {
        youTubeIdentifier != nil || vimeoNumber != nil || (isNASA && isVideoFile)
    }

    /// Whether the site only counts visitors, or loads scripts.
    fileprivate var isOfTagManager: Bool {
        [
            "adobedtm.com", "demdex.net", "digitalgov.gov", "doubleclick.net",
            "google-analytics.com", "googlesyndication.com", "googletagmanager.com",
        ].contains(domain)
    }

    /// The URL of the file itself if this names a copy of it, such as `…/a.jpg/jcr:content/renditions/…`, or requests a
    /// size in the query, in the asset store of NASA's site; the query of a rendering has the size of the original, and
    /// stays.
    fileprivate var ofWholeFile: WebURL {
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
