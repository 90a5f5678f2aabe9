internal import Platform
internal import Transfer

/// The pages of videos on YouTube and Vimeo, and the posters of YouTube videos, which are still pictures.
extension WebURL {
    private static let youTube: WebURL = "https://www.youtube.com"
    private static let hostOfPosters: WebURL = "https://img.youtube.com"
    private static let vimeo: WebURL = "https://vimeo.com"

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

    /// The page of the YouTube video or playlist, with the time at which the video starts; `nil` for other URLs.
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

    private func posters(of identifier: String) -> [WebURL] {
        ["maxresdefault", "sddefault", "hqdefault"].map { at("/vi/\(identifier)/\($0).jpg") }
    }

    /// The number of the Vimeo video, and the part of the path after it, if any; `nil` for other URLs.
    private var vimeoVideo: (number: Substring, nextPart: Substring?)? {
        var parts = path.split(separator: "/")[...]
        if parts.first == "video" { parts.removeFirst() }
        guard domain == "vimeo.com", let number = parts.first, number.utf8.allSatisfy(\.isDigit)
        else { return nil }
        return (number, parts.dropFirst().first)
    }

    var isOfVimeoVideo: Bool { vimeoVideo != nil }

    /// The page of the Vimeo video; `https://player.vimeo.com/video/12?h=ab` becomes `https://vimeo.com/12/ab`.
    var vimeoPage: WebURL? {
        guard let (number, nextPart) = vimeoVideo else { return nil }
        // A video that is not public has a key. The next part may also be the name of another page, such as `settings`.
        guard let key = value(of: "h") ?? nextPart.map(String.init), !key.isEmpty,
            key.allSatisfy(\.isHexDigit)
        else { return Self.vimeo.at("/\(number)") }
        return Self.vimeo.at("/\(number)/\(key)")
    }
}

extension String {
    fileprivate var isYouTubeIdentifier: Bool {
        // "videoseries" is the player of a playlist.
        utf8.count == 11 && self != "videoseries"
            && utf8.allSatisfy { $0.isASCIIWord || "-_".utf8.contains($0) }
    }
}
