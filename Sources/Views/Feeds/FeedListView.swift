internal import Mirror
internal import Platform

/// `feed.opml`: the addresses of `feed.xml` and `feed.rss` as OPML 2.0, a list that feed readers import.
///
/// The addresses in it are absolute: it is there only if there is a base URL.
struct FeedListView: View {
    static let title = "the list of the feeds"
    static let ownedPaths = [list]
    /// The element by which the mirror knows that it wrote the file.
    private static let mark = "<ownerName>apod-mirror</ownerName>"
    private static let list = OwnedPath(file: "feed.opml", mark: mark, end: "</opml>")

    private let baseURL: String?

    init(_ settings: ViewSettings) { baseURL = settings.baseURL }

    func update(_ input: ViewInput) throws -> ViewOutcome {
        var outcome = ViewOutcome()
        guard let baseURL else {
            try input.remove(Self.list, reportingTo: &outcome)
            return outcome
        }
        // Without a record, no feed is written.
        var records = input.records
        guard try records.next() != nil else { return outcome }
        try input.publish(Self.opml(baseURL), as: Self.list, reportingTo: &outcome)
        return outcome
    }

    private static func opml(_ base: String) -> [UInt8] {
        let outlines = ["feed.xml", "feed.rss"].map { name -> HTML in
            """
            <outline type="rss" text="\(MirrorFeed.title)" xmlUrl="\(base)\(name)" htmlUrl="\(base)index.html"/>

            """
        }
        let list: HTML = """
            <?xml version="1.0" encoding="UTF-8"?>
            <opml version="2.0">
            <head>
            <title>\(MirrorFeed.title)</title>
            \(HTML(markup: mark))
            </head>
            <body>
            \(outlines)</body>
            </opml>

            """
        return list.xml
    }
}
