internal import Platform
internal import Transfer

/// The URL of the web page on which a person watches the video of a day, or reads NASA's article if there is no video.
///
/// `https://www.youtube.com/embed/ID` becomes `https://www.youtube.com/watch?v=ID`, because a player that is opened as a web
/// page refuses to play (YouTube's “error 153”). A feed can contain any URL; only URLs of known sites are accepted.
package struct VideoPageURL: Hashable, Sendable {
    /// An absolute `https` URL, percent-encoded.
    package let url: String
    /// Whether it is the URL of a video file at NASA, which `--videos` downloads.
    package var isFile = false

    /// Returns the page for the URL of a video, a player or a web page; fails for an unknown site.
    package init?(of video: String) {
        guard let url = WebURL(link: video) else { return nil }
        // YouTube and Vimeo also have pages whose URLs name no video; these are opened as they are.
        let page = url.youTubePage ?? url.vimeoPage ?? url.secured
        guard let page, page.isOfKnownSite else { return nil }
        self.url = page.text
        isFile = page.isNASA && page.isVideoFile
    }

    /// Returns the page for the URL of an article; fails if it is not on NASA's site.
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

    /// The page of a video; `https://player.vimeo.com/video/12?h=ab` becomes `https://vimeo.com/12/ab`.
    fileprivate var vimeoPage: WebURL? {
        guard let vimeoNumber else { return nil }
        let afterNumber = path.split(separator: "/").drop { $0 != vimeoNumber }.dropFirst().first
        let key = value(of: "h") ?? afterNumber.map(String.init) ?? ""
        // The part after the number may also be the name of another page, such as `settings`.
        return Self.vimeo.at("/\(vimeoNumber)\(key.isHexadecimal ? "/\(key)" : "")")
    }

    /// This URL with the scheme `https`; `nil` if it names a port or a user, which no known site needs.
    fileprivate var secured: WebURL? {
        guard !hasCredentials, port == (scheme == "https" ? 443 : 80) else { return nil }
        return scheme == "https" ? self : try? WebURL("https" + text.dropFirst(scheme.count))
    }

    /// Whether the host belongs to NASA, or to another site that has videos of the archive.
    var isOfKnownSite: Bool {
        isNASA || Self.knownSites.contains { host == $0 || host.hasSuffix(".\($0)") }
    }

    private static let knownSites = [
        "youtube.com", "vimeo.com", "ustream.tv", "esa.int", "eso.org", "stsci.edu",
        "esahubble.org", "esawebb.org", "noirlab.edu", "jaxa.jp",
    ]
}

extension WebURL {
    /// The URLs of the posters, or still pictures, of the YouTube video at this URL, the largest first; empty for other URLs.
    ///
    /// Only the smallest poster exists for every video.
    var youTubePosters: [WebURL] {
        youTubeIdentifier.map { Self.youTubePictures.posters(of: $0) } ?? []
    }

    /// If this is the URL of a poster of YouTube, the URLs of all posters of the video and this URL; else only this URL.
    ///
    /// The path decides, because a mirror of NASA's feed may have the posters on its own host.
    var withLargerPosters: [WebURL] {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count == 3, ["vi", "vi_webp"].contains(parts[0]), parts[1].isYouTubeIdentifier
        else { return [self] }
        return posters(of: parts[1]) + [self]
    }

    /// The URLs of the posters of a video on this host.
    private func posters(of identifier: String) -> [WebURL] {
        ["maxresdefault", "sddefault", "hqdefault"].map { at("/vi/\(identifier)/\($0).jpg") }
    }

    /// The last two components of the host, such as `youtube.com`.
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
    /// Whether the text may be the identifier of a video of YouTube.
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
