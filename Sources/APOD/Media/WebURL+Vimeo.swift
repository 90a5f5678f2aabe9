internal import Platform
internal import Transfer

/// The URLs of a Vimeo video: of its player, and of its page.
extension WebURL {
    private static let vimeo: WebURL = "https://vimeo.com"

    /// The number of the Vimeo video, and the part of the path after it, if any; `nil` for other URLs.
    private var vimeoVideo: (number: Substring, nextPart: Substring?)? {
        var parts = path.split(separator: "/")[...]
        if parts.first == "video" { parts.removeFirst() }
        guard domain == "vimeo.com", let number = parts.first, number.utf8.allSatisfy(\.isDigit)
        else { return nil }
        return (number, parts.dropFirst().first)
    }

    var isOfVimeoVideo: Bool { vimeoVideo != nil }

    /// The page of the video; `https://player.vimeo.com/video/12?h=ab` becomes `https://vimeo.com/12/ab`.
    ///
    /// The part after the number is the key of a video that is not public.
    var vimeoPage: WebURL? {
        guard let (number, nextPart) = vimeoVideo else { return nil }
        // The next part may also be the name of another page, such as `settings`.
        guard let key = value(of: "h") ?? nextPart.map(String.init), key.isHexadecimal else {
            return Self.vimeo.at("/\(number)")
        }
        return Self.vimeo.at("/\(number)/\(key)")
    }
}

extension String {
    /// Whether the text has a hexadecimal digit or more, and nothing else.
    fileprivate var isHexadecimal: Bool {
        !isEmpty && utf8.allSatisfy { "0123456789abcdef".utf8.contains($0.lowercased) }
    }
}
