internal import Platform
internal import Transfer

/// The URL of the web page where a person can watch a video; for an embedded player, of the web page of its
/// video.
///
/// An embedded player that is opened as a web page refuses to play (YouTube's “error 153”). A feed can
/// contain any URL: only known sites are linked.
package struct VideoPageURL: Hashable, Sendable {
    /// An absolute `https` URL, percent-encoded.
    package let url: String
    /// Whether it is the URL of a video file at NASA, which `--videos` downloads.
    package var isFile = false

    /// - Parameter video: The URL of a video, a player or a web page; `nil` results from an unknown site.
    package init?(of video: String) {
        guard let url = WebURL(link: video) else { return nil }
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
    private static let youTubePosters: WebURL = "https://img.youtube.com"
    private static let vimeo: WebURL = "https://vimeo.com"

    fileprivate var youTubePage: WebURL? {
        guard ["youtube.com", "youtube-nocookie.com", "youtu.be"].contains(domain) else {
            return nil
        }
        if let identifier = youTubeIdentifier {
            let start = (value(of: "start") ?? value(of: "t")).map { "&t=\($0.percentEncoded())" }
            return Self.youTube.at("/watch", query: "v=\(identifier)\(start ?? "")")
        }
        return value(of: "list").map { Self.youTube.at("/playlist", query: "list=\($0)") }
    }

    /// An unlisted video has a key, which the player's URL contains as `h`.
    fileprivate var vimeoPage: WebURL? {
        guard let vimeoIdentifier else { return nil }
        let key = value(of: "h").map { "/\($0)" } ?? ""
        return Self.vimeo.at("/\(vimeoIdentifier)\(key)")
    }

    /// This URL with the scheme `https`; `nil` if it names a port or a user.
    fileprivate var secured: WebURL? {
        guard !hasCredentials, port == (scheme == "https" ? 443 : 80) else { return nil }
        return scheme == "https" ? self : try? WebURL("https" + text.dropFirst(scheme.count))
    }

    /// Whether the host belongs to NASA, to an agency or observatory that NASA links to, or to a video
    /// site.
    fileprivate var isOfKnownSite: Bool {
        isNASA
            || [
                "youtube.com", "vimeo.com", "ustream.tv", "esa.int", "eso.org", "stsci.edu",
                "esahubble.org", "esawebb.org", "noirlab.edu", "jaxa.jp",
            ].contains { host == $0 || host.hasSuffix(".\($0)") }
    }
}

extension WebURL {
    /// The poster of the YouTube video at this URL; `nil` for other URLs.
    var youTubePoster: WebURL? {
        guard let identifier = youTubeIdentifier else { return nil }
        return Self.youTubePosters.at("/vi/\(identifier)/hqdefault.jpg")
    }

    /// The last two components of the host, such as `youtube.com`.
    var domain: String { host.split(separator: ".").suffix(2).joined(separator: ".") }

    /// The identifier of the YouTube video, eleven characters; `nil` for other URLs.
    var youTubeIdentifier: String? {
        let parts = path.split(separator: "/").map(String.init)
        let identifier: String? =
            switch domain {
            case "youtu.be": parts.first
            case "youtube.com", "youtube-nocookie.com":
                parts.first == "watch" ? value(of: "v") : parts.dropFirst().first
            default: nil
            }
        // "videoseries" is the player of a playlist.
        guard let identifier, identifier.utf8.count == 11, identifier != "videoseries",
            identifier.allSatisfy({
                $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0))
            })
        else { return nil }
        return identifier
    }

    /// The number of the Vimeo video; `nil` for other URLs.
    var vimeoIdentifier: Substring? {
        let parts = path.split(separator: "/")
        guard domain == "vimeo.com",
            let identifier = parts.first == "video" ? parts.dropFirst().first : parts.first,
            identifier.allSatisfy({ $0.isASCII && $0.isNumber })
        else { return nil }
        return identifier
    }
}
