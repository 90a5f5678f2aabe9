internal import Gallery
internal import Mirror
internal import Platform

/// The feed that the mirror publishes of its newest days, in the format of RFC 4287.
///
/// Without a base URL, its addresses are relative to its own.
struct MirrorFeed {
    /// Newest first; not empty.
    let entries: [FeedEntry]
    /// The id of the mirror, a UUID.
    let id: String
    let baseURL: String?

    static let maximumEntries = 30
    /// The maximum length of the texts of all entries together, in bytes; those after it have only a title.
    static let maximumTextLength = 512 << 10
    private static let title = "Astronomy Picture of the Day"
    private static let publisher = "NASA"

    var atom: [UInt8] {
        let updated = entries.map(\.updated).max() ?? ""
        let own = baseURL.map { base -> HTML in
            "<link rel=\"self\" type=\"application/atom+xml\" href=\"\(base)feed.xml\"/>\n"
        }
        let feed: HTML = """
            <?xml version="1.0" encoding="UTF-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
            \(HTML(stringLiteral: DerivedFile.atomMark))
            <id>urn:uuid:\(id.percentEncoded())</id>
            <title>\(Self.title)</title>
            <updated>\(updated)</updated>
            <author><name>\(Self.publisher)</name></author>
            \(own)<link rel="alternate" type="text/html" href="\(baseURL ?? "")index.html"/>
            \(entries.map(Self.element))</feed>

            """
        // XML 1.0 forbids these characters.
        let text = String(decoding: feed.bytes, as: UTF8.self)
            .replacing("\u{FFFE}", by: "\u{FFFD}").replacing("\u{FFFF}", by: "\u{FFFD}")
        return Array(text.utf8)
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
            \(enclosure)<content type="html">\(String(decoding: entry.html.bytes, as: UTF8.self))</content>
            </entry>

            """
    }
}
