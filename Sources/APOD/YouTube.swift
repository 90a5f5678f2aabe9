extension WebAddress {
    /// The still that YouTube shows before the video at this address, `nil` for other addresses.
    var youTubePoster: WebAddress? {
        guard let identifier = youTubeIdentifier else { return nil }
        return WebAddress("https://img.youtube.com/vi/\(identifier)/hqdefault.jpg", relativeTo: "")
    }

    /// The last two parts of the host's name: `youtube.com`.
    var domain: String { host.split(separator: ".").suffix(2).joined(separator: ".") }

    /// The eleven characters that name a video on YouTube, `nil` for other addresses.
    var youTubeIdentifier: String? {
        let parts = path.split(separator: "/").map(String.init)
        let identifier: String? =
            switch domain {
            case "youtu.be": parts.first
            case "youtube.com", "youtube-nocookie.com":
                parts.first == "watch" ? value(of: "v") : parts.dropFirst().first
            default: nil
            }
        // "videoseries" is the player of a list of videos.
        guard let identifier, identifier.utf8.count == 11, identifier != "videoseries",
            identifier.allSatisfy({
                $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0))
            })
        else { return nil }
        return identifier
    }

    /// The number that names a video on Vimeo, `nil` for other addresses.
    var vimeoIdentifier: Substring? {
        let parts = path.split(separator: "/")
        guard domain == "vimeo.com",
            let identifier = parts.first == "video" ? parts.dropFirst().first : parts.first,
            identifier.allSatisfy({ $0.isASCII && $0.isNumber })
        else { return nil }
        return identifier
    }
}
