/// The media that the HTML of a page names, each the first of its kind that is no stand-in.
struct MediaMarkup: Hashable {
    private(set) var image: WebAddress?
    /// The source of a `<video>`.
    private(set) var video: WebAddress?
    private(set) var poster: WebAddress?
    /// The page that an `<iframe>` shows.
    private(set) var frame: WebAddress?

    /// - Parameters:
    ///   - page: The nodes of the page.
    ///   - base: The origin that relative addresses begin with.
    init(_ page: [HTMLNode], relativeTo base: String) {
        for case .opening(let name, let attributes) in page {
            let source = Self.address(attributes["src"], relativeTo: base)
            switch name {
            case "img": image = image ?? source
            case "source", "video": video = video ?? source
            case "iframe": frame = frame ?? source
            default: break
            }
            if name == "video" {
                poster = poster ?? Self.address(attributes["poster"], relativeTo: base)
            }
        }
    }

    /// The address that `text` is, `nil` where it is none or that of a stand-in.
    static func address(_ text: String?, relativeTo base: String) -> WebAddress? {
        guard let address = text.flatMap({ WebAddress($0, relativeTo: base) }),
            !StandIn.isMedia(address)
        else { return nil }
        return address
    }
}
