internal import Platform
internal import Transfer

/// The URL of a web page that a person opens to watch the video of a day, or the article if there is none.
///
/// For an embedded player, it is that of the page of its video: a player that is opened as a web page refuses to play
/// (YouTube's “error 153”). A feed can contain any URL: only known sites are linked.
package struct VideoPageURL: Hashable, Sendable {
    /// An absolute `https` URL, percent-encoded.
    package let url: String
    /// Whether it is the URL of a video file at NASA, which `--videos` downloads.
    package var isFile = false

    /// - Parameter video: The URL of a video, a player or a web page; `nil` results from an unknown site.
    package init?(of video: String) {
        guard let url = WebURL(link: video) else { return nil }
        // A URL of YouTube or Vimeo without an identifier is that of another page there.
        let page = url.youTubePage ?? url.vimeoPage ?? url.secured
        guard let page, page.isOfKnownSite else { return nil }
        self.url = page.text
        isFile = page.isNASA && page.isVideoFile
    }

    /// - Parameter article: The URL of the article of a day; `nil` results from other sites.
    package init?(article: String) {
        guard let page = WebURL(link: article)?.secured, page.isNASA else { return nil }
        url = page.text
    }
}

extension WebURL {
    private static let youTube: WebURL = "https://www.youtube.com"
    private static let youTubePictures: WebURL = "https://img.youtube.com"
    private static let vimeo: WebURL = "https://vimeo.com"

    fileprivate var youTubePage: WebURL? {
        guard isOfYouTube else { return nil }
        if let identifier = youTubeIdentifier {
            let start = (value(of: "start") ?? value(of: "t")).map { "&t=\($0.percentEncoded())" }
            return Self.youTube.at("/watch", query: "v=\(identifier)\(start ?? "")")
        }
        return value(of: "list").map { Self.youTube.at("/playlist", query: "list=\($0)") }
    }

    /// The page of a video, with the key of an unlisted one, which the player's URL has as `h`.
    fileprivate var vimeoPage: WebURL? {
        guard let vimeoNumber else { return nil }
        let afterNumber = path.split(separator: "/").drop { $0 != vimeoNumber }.dropFirst().first
        let key = value(of: "h") ?? afterNumber.map(String.init) ?? ""
        // Another word after the number is that of another page, such as `settings`.
        return Self.vimeo.at("/\(vimeoNumber)\(key.isHexadecimal ? "/\(key)" : "")")
    }

    /// This URL with the scheme `https`; `nil` if it names a port or a user, which no known site needs.
    fileprivate var secured: WebURL? {
        guard !hasCredentials, port == (scheme == "https" ? 443 : 80) else { return nil }
        return scheme == "https" ? self : try? WebURL("https" + text.dropFirst(scheme.count))
    }

    /// Whether the host belongs to NASA, or to one of the sites to which the videos of the archive lead.
    var isOfKnownSite: Bool {
        isNASA || Self.knownSites.contains { host == $0 || host.hasSuffix(".\($0)") }
    }

    private static let knownSites = [
        "youtube.com", "vimeo.com", "ustream.tv", "esa.int", "eso.org", "stsci.edu",
        "esahubble.org", "esawebb.org", "noirlab.edu", "jaxa.jp",
    ]
}

extension WebURL {
    /// The posters of the YouTube video at this URL, the largest first; none for other URLs.
    ///
    /// Only the last one exists for every video; for the others, YouTube answers 404.
    var youTubePosters: [WebURL] {
        youTubeIdentifier.map { Self.youTubePictures.posters(of: $0) } ?? []
    }

    /// This URL, after the ones of all posters of the video if it is that of a poster of YouTube: NASA names a small one.
    ///
    /// The path decides, because a feed that mirrors NASA's may have the posters on its own host.
    var withLargerPosters: [WebURL] {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count == 3, ["vi", "vi_webp"].contains(parts[0]), parts[1].isYouTubeIdentifier
        else { return [self] }
        return posters(of: parts[1]) + [self]
    }

    /// The URLs on this host of the posters of a video.
    private func posters(of identifier: String) -> [WebURL] {
        ["maxresdefault", "sddefault", "hqdefault"].map { at("/vi/\(identifier)/\($0).jpg") }
    }

    /// The last two components of the host, such as `youtube.com`, to compare it with a known one.
    var domain: String { host.split(separator: ".").suffix(2).joined(separator: ".") }

    private var isOfYouTube: Bool {
        ["youtube.com", "youtube-nocookie.com", "youtu.be"].contains(domain)
    }

    /// The identifier of the YouTube video, eleven characters; `nil` for other URLs.
    var youTubeIdentifier: String? {
        guard isOfYouTube else { return nil }
        let parts = path.split(separator: "/").map(String.init)
        let identifier: String? =
            switch parts.first {
            case let first where domain == "youtu.be": first
            case "watch": value(of: "v")
            case "embed", "v", "shorts", "live": parts.dropFirst().first
            default: nil
            }
        guard let identifier, identifier.isYouTubeIdentifier else { return nil }
        return identifier
    }

    /// The number of the Vimeo video; `nil` for other URLs.
    var vimeoNumber: Substring? {
        let parts = path.split(separator: "/")
        guard domain == "vimeo.com",
            let number = parts.first == "video" ? parts.dropFirst().first : parts.first,
            number.utf8.allSatisfy(\.isDigit)
        else { return nil }
        return number
    }
}

extension String {
    /// Whether the text may identify a video of YouTube, so that it can be a part of a URL as it is.
    fileprivate var isYouTubeIdentifier: Bool {
        // "videoseries" is the player of a playlist.
        utf8.count == 11 && self != "videoseries"
            && utf8.allSatisfy { $0.isASCIIWord || "-_".utf8.contains($0) }
    }

    /// Whether the text has a hexadecimal digit or more, and nothing else.
    fileprivate var isHexadecimal: Bool {
        !isEmpty && utf8.allSatisfy { "0123456789abcdef".utf8.contains($0.lowercased) }
    }
}
