/// The media that the HTML of a page names, placeholders left out.
struct MediaMarkup: Hashable {
    /// In the order of the page.
    private(set) var images: [WebAddress] = []
    /// The source of a `<video>`.
    private(set) var video: WebAddress?
    private(set) var poster: WebAddress?
    /// The player or page that an `<iframe>`, `<embed>` or `<object>` shows.
    private(set) var frame: WebAddress?
    /// The first text that is nothing but the address of a video.
    private(set) var text: WebAddress?

    /// - Parameters:
    ///   - page: The nodes of the page.
    ///   - base: The origin that relative addresses begin with.
    init(_ page: [HTMLNode], relativeTo base: String) {
        for node in page {
            switch node {
            case .opening(let name, let attributes):
                read(name, attributes) { Self.address(attributes[$0], relativeTo: base) }
            case .text(let text):
                // A block that embeds a video may hold its bare address.
                let word = TextNormalizer.trimmed(text)
                guard self.text == nil, word.hasPrefix("http"), word.utf8.count < 500,
                    !word.contains(where: \.isWhitespace),
                    let address = Self.address(word, relativeTo: base), address.isVideo
                else { continue }
                self.text = address
            case .closing: break
            }
        }
    }

    private mutating func read(
        _ name: String, _ attributes: [String: String], address: (String) -> WebAddress?
    ) {
        switch name {
        case "img":
            if let source = address("src") { images.append(source) }
        case "video":
            video = video ?? address("src")
            poster = poster ?? address("poster")
        case "source": video = video ?? address("src")
        case "iframe", "embed": embed(address("src"))
        case "object": embed(address("data"))
        case "param" where ["movie", "src"].contains(attributes["name"]?.lowercased()):
            embed(address("value"))
        default: break
        }
    }

    private mutating func embed(_ address: WebAddress?) {
        guard let address else { return }
        if address.isPictureFile { images.append(address) } else { frame = frame ?? address }
    }

    /// The address that `text` is, `nil` where it is none or that of a placeholder.
    static func address(_ text: String?, relativeTo base: String) -> WebAddress? {
        guard let address = text.flatMap({ WebAddress($0, relativeTo: base) }),
            !StandIn.isMedia(address)
        else { return nil }
        return address.withoutRendition
    }
}

extension WebAddress {
    /// Whether it is known to lead to a video.
    fileprivate var isVideo: Bool {
        youTubeIdentifier != nil || vimeoIdentifier != nil
            || (isNASA && ["mp4", "webm"].contains(pathExtension))
    }

    /// The file itself, where this is a rendition of it or asks the archive for a size.
    fileprivate var withoutRendition: WebAddress {
        guard path.hasPrefix("/content/dam/") || path.hasPrefix("/dynamicimage/assets/") else {
            return self
        }
        let marks = ["/jcr:content/", "/jcr%3Acontent/", "/jcr%3acontent/", "/_jcr_content/"]
        let start = marks.compactMap { path.firstRange(of: $0)?.lowerBound }.min()
        if let start { return at(String(path[..<start])) }
        return path.hasPrefix("/content/dam/") ? at(path) : self
    }
}
