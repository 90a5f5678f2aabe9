/// The page where a person watches a video: for a player that pages embed, the page it is shown on.
///
/// A player that is opened by itself refuses to play (YouTube's “error 153”), so its address is of no
/// use to somebody who clicks on it.
package struct WatchPage: Hashable, Sendable {
    /// Absolute and percent-encoded, `https` but for servers with a port of their own.
    package let url: String

    /// - Parameter video: The address of a video, a player or a page; `nil` comes of one that leads to
    ///   no web server.
    package init?(of video: String) {
        guard let address = WebAddress(video, relativeTo: "") else { return nil }
        url = (address.youTubePage ?? address.vimeoPage ?? address.secured).description
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
        let parts = path.split(separator: "/")
        guard domain == "vimeo.com", parts.count == 2, parts[0] == "video",
            parts[1].allSatisfy({ $0.isASCII && $0.isNumber })
        else { return nil }
        let key = value(of: "h").map { "/\($0)" } ?? ""
        return WebAddress("https://vimeo.com/\(parts[1])\(key)", relativeTo: "")
    }

    /// This address by https, which all the sites speak by now; a port is that of somebody's own server.
    fileprivate var secured: WebAddress {
        let authority = origin.dropFirst("http://".count)
        guard origin.hasPrefix("http://"), !authority.contains(":") else { return self }
        return WebAddress(
            "https://\(authority)\(path)\(query.map { "?" + $0 } ?? "")", relativeTo: "")
            ?? self
    }
}
