/// The page where a person watches a video: for a player that pages embed, the page it is shown on.
///
/// A player that is opened by itself refuses to play (YouTube's “error 153”), so its address is of no
/// use to somebody who clicks on it. A feed can name any address: only sites that are known are linked.
package struct VideoPageURL: Hashable, Sendable {
    /// Absolute, `https` and percent-encoded.
    package let url: String

    /// - Parameter video: The address of a video, a player or a page; `nil` comes of one that does not
    ///   lead to a known site.
    package init?(of video: String) {
        guard let address = WebAddress(video, relativeTo: "") else { return nil }
        let page = address.youTubePage ?? address.vimeoPage ?? address.secured
        guard let page, page.isOfKnownSite else { return nil }
        url = page.description
    }

    /// - Parameter article: NASA's page of a day; `nil` comes of any other.
    package init?(article: String) {
        guard let page = WebAddress(article, relativeTo: "")?.secured, page.isNASA else {
            return nil
        }
        url = page.description
    }
}

extension WebAddress {
    fileprivate var youTubePage: WebAddress? {
        guard isYouTube else { return nil }
        let site = WebAddress("https://www.youtube.com", relativeTo: "")
        if let identifier = youTubeIdentifier {
            let start = (value(of: "start") ?? value(of: "t")).map { "&t=\(Self.escaped($0))" }
            return site?.at("/watch", query: "v=\(identifier)\(start ?? "")")
        }
        return value(of: "list").flatMap { site?.at("/playlist", query: "list=\($0)") }
    }

    private var isYouTube: Bool {
        ["youtube.com", "youtube-nocookie.com", "youtu.be"].contains(domain)
    }

    /// A video that is not listed has a second part, which the player takes as `h`.
    fileprivate var vimeoPage: WebAddress? {
        guard let vimeoIdentifier else { return nil }
        let key = value(of: "h").map { "/\($0)" } ?? ""
        return WebAddress("https://vimeo.com/\(vimeoIdentifier)\(key)", relativeTo: "")
    }

    /// This address by https, `nil` where it names a port or a user.
    fileprivate var secured: WebAddress? {
        let authority = origin.drop { $0 != "/" }.dropFirst(2)
        guard !authority.contains(":"), !authority.contains("@") else { return nil }
        return WebAddress(
            "https://\(authority)\(path)\(query.map { "?" + $0 } ?? "")", relativeTo: "")
    }

    /// Whether it is of NASA, of an agency or observatory that NASA links to, or of a site for videos.
    fileprivate var isOfKnownSite: Bool {
        isNASA || host == "esa.int" || host.hasSuffix(".esa.int")
            || [
                "youtube.com", "vimeo.com", "ustream.tv", "eso.org", "stsci.edu", "esahubble.org",
                "esawebb.org", "noirlab.edu", "jaxa.jp",
            ].contains { host == $0 || host.hasSuffix(".\($0)") }
    }
}
