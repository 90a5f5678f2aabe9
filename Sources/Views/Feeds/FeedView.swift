internal import Mirror
internal import Platform

/// The newest days for feed readers: `feed.xml` in the format of RFC 4287, and with a base URL, which its addresses
/// must have, `feed.rss` in that of RSS 2.0; both with Media RSS.
struct FeedView: View {
    static let title = "the feed"
    static let ownedPaths = [
        OwnedPath(file: "feed.xml", mark: MirrorFeed.mark, end: "</feed>"),
        OwnedPath(file: "feed.rss", mark: MirrorFeed.mark, end: "</rss>"),
    ]

    private let baseURL: String?

    init(_ settings: ViewSettings) { baseURL = settings.baseURL }

    func update(_ input: ViewInput) throws -> ViewOutcome {
        var outcome = ViewOutcome()
        var entries: [FeedEntry] = []
        var textLength = 0
        var records = input.newestRecords
        while entries.count < MirrorFeed.maximumEntries, let record = try records.next() {
            let files = input.snapshot[record.entry.day]
            let entry = FeedEntry(
                record: record, base: baseURL ?? "", hasThumbnail: files?.thumbnail != nil)
            textLength += entry.html.bytes.count
            // mutation test: feed-limit
            let isBrief = textLength > MirrorFeed.maximumTextLength
            entries.append(isBrief ? entry.brief : entry)
        }
        guard !entries.isEmpty else { return outcome }
        let feed = MirrorFeed(entries: entries, id: input.store.tree.id, baseURL: baseURL)
        let (atom, rss) = (Self.ownedPaths[0], Self.ownedPaths[1])
        try input.publish(feed.atom, as: atom, &outcome)
        if baseURL != nil {
            try input.publish(feed.rss, as: rss, &outcome)
        } else if try input.root.status(rss.path) != nil, try rss.isOwn(input.root) {
            try input.root.remove(rss.path)
            outcome.written.append(rss.path)
        }
        return outcome
    }
}

/// The text of a feed.
///
/// Without a base URL, the addresses are relative to its own.
struct MirrorFeed {
    /// Newest first; not empty.
    let entries: [FeedEntry]
    /// The id of the mirror, a UUID.
    let id: String
    let baseURL: String?

    /// The element near the beginning that identifies it.
    static let mark = "<generator>apod-mirror</generator>"
    /// See https://www.rssboard.org/media-rss.
    static let mediaNamespace = "http://search.yahoo.com/mrss/"
    static let maximumEntries = 30
    /// The maximum length of the texts of all entries together, in bytes; those after it have only a title.
    static let maximumTextLength = 512 << 10
    static let title = "Astronomy Picture of the Day"
    private static let publisher = "NASA"

    var atom: [UInt8] {
        let updated = entries.map(\.updated).max() ?? ""
        let own = baseURL.map { base -> HTML in
            "<link rel=\"self\" type=\"application/atom+xml\" href=\"\(base)feed.xml\"/>\n"
        }
        let feed: HTML = """
            <?xml version="1.0" encoding="UTF-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="\(Self.mediaNamespace)" xml:lang="en">
            \(HTML(stringLiteral: Self.mark))
            <id>urn:uuid:\(id.percentEncoded())</id>
            <title>\(Self.title)</title>
            <updated>\(updated)</updated>
            <author><name>\(Self.publisher)</name></author>
            \(own)<link rel="alternate" type="text/html" href="\(baseURL ?? "")index.html"/>
            \(entries.map(Self.element))</feed>

            """
        return feed.xml
    }

    private static func element(_ entry: FeedEntry) -> HTML {
        let enclosure = entry.picture.map { picture -> HTML in
            """
            <link rel="enclosure" type="\(picture.type)" length="\(picture.bytes)" \
            href="\(entry.url(of: picture.path))"/>

            """
        }
        let rights = entry.copyright.map { "<rights>© \($0)</rights>\n" as HTML }
        return """
            <entry>
            <id>\(entry.id)</id>
            <title>\(entry.title)</title>
            <published>\(entry.published)</published>
            <updated>\(entry.updated)</updated>
            <author><name>\(entry.author)</name></author>
            \(rights)<link rel="alternate" type="text/html" href="\(entry.link)"/>
            \(enclosure)\(entry.mediaRSS)<content type="html">\(String(decoding: entry.html.bytes, as: UTF8.self))</content>
            </entry>

            """
    }
}

extension HTML {
    /// The bytes as XML, without the characters that XML 1.0 forbids.
    var xml: [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
            .replacing("\u{FFFE}", by: "\u{FFFD}").replacing("\u{FFFF}", by: "\u{FFFD}")
        return Array(text.utf8)
    }
}
