internal import Platform
internal import Transfer

/// The URLs of a YouTube video: its page and its posters, which are still pictures.
extension WebURL {
    private static let youTube: WebURL = "https://www.youtube.com"
    private static let hostOfPosters: WebURL = "https://img.youtube.com"

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

    /// The web page of the video or playlist; `nil` for other URLs.
    var youTubePage: WebURL? {
        guard isOfYouTube else { return nil }
        guard let identifier = youTubeIdentifier else {
            return value(of: "list").map { Self.youTube.at("/playlist", query: "list=\($0)") }
        }
        let start = (value(of: "start") ?? value(of: "t")).map { "&t=\($0.percentEncoded())" }
        return Self.youTube.at("/watch", query: "v=\(identifier)\(start ?? "")")
    }

    /// The URLs of the posters of the YouTube video at this URL, the largest first; empty for other URLs.
    ///
    /// Only the smallest poster exists for every video.
    var youTubePosters: [WebURL] {
        youTubeIdentifier.map { Self.hostOfPosters.posters(of: $0) } ?? []
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
}

extension String {
    /// Whether the text may be the identifier of a video of YouTube.
    fileprivate var isYouTubeIdentifier: Bool {
        // "videoseries" is the player of a playlist.
        utf8.count == 11 && self != "videoseries"
            && utf8.allSatisfy { $0.isASCIIWord || "-_".utf8.contains($0) }
    }
}
