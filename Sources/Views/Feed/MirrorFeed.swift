internal import APOD
internal import Platform

/// The text of the feed, as Atom (RFC 4287) and as RSS 2.0.
///
/// Each format also lists the pictures in elements of Media RSS, see https://www.rssboard.org/media-rss.
struct MirrorFeed {
    /// Newest first; not empty.
    let entries: [FeedEntry]
    /// The ID of the mirror, mostly a UUID; it may be any text, because a person can edit the file that has it.
    let id: String
    /// The URL of the root on a web server; `nil` for addresses relative to the feed.
    let baseURL: String?

    private static let mediaNamespace = "http://search.yahoo.com/mrss/"
    private static let title = "Astronomy Picture of the Day"

    var atom: [UInt8] {
        let updated = entries.map(\.updated).max() ?? ""
        let linkToItself = baseURL.map { base -> HTML in
            "<link rel=\"self\" type=\"application/atom+xml\" href=\"\(base)feed.xml\"/>\n"
        }
        let feed: HTML = """
            <?xml version="1.0" encoding="UTF-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="\(Self.mediaNamespace)" xml:lang="en">
            <generator>apod-mirror</generator>
            <id>urn:uuid:\(id.percentEncoded())</id>
            <title>\(Self.title)</title>
            <updated>\(updated)</updated>
            <author><name>NASA</name></author>
            \(linkToItself)<link rel="alternate" type="text/html" href="\(baseURL ?? "")index.html"/>
            \(entries.map(Self.element))</feed>

            """
        return feed.xml
    }

    private static func element(_ entry: FeedEntry) -> HTML {
        let enclosure = entry.enclosure.map { file -> HTML in
            """
            <link rel="enclosure" type="\(file.type)" length="\(file.bytes)" href="\(file.url)"/>

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
            \(enclosure)\(entry.mediaRSS)<content type="html">\(entry.html.asText)</content>
            </entry>

            """
    }

    /// The feed as RSS 2.0, for programs that do not read Atom, such as Variety.
    var rss: [UInt8] {
        let base = baseURL ?? ""
        let feed: HTML = """
            <?xml version="1.0" encoding="UTF-8"?>
            <rss version="2.0" xmlns:media="\(Self.mediaNamespace)" xmlns:atom="http://www.w3.org/2005/Atom" \
            xmlns:dc="http://purl.org/dc/elements/1.1/">
            <channel>
            <generator>apod-mirror</generator>
            <title>\(Self.title)</title>
            <link>\(base)index.html</link>
            <description>The newest days of the mirror</description>
            <language>en</language>
            <atom:link rel="self" type="application/rss+xml" href="\(base)feed.rss"/>
            \(entries.map(Self.item))</channel>
            </rss>

            """
        return feed.xml
    }

    private static func item(_ entry: FeedEntry) -> HTML {
        let enclosure = entry.enclosure.map { file -> HTML in
            "<enclosure url=\"\(file.url)\" length=\"\(file.bytes)\" type=\"\(file.type)\"/>\n"
        }
        return """
            <item>
            <title>\(entry.title)</title>
            <link>\(entry.link)</link>
            <guid isPermaLink="false">\(entry.id)</guid>
            <pubDate>\(entry.day.publishedInRFC822)</pubDate>
            <dc:creator>\(entry.author)</dc:creator>
            \(enclosure)\(entry.mediaRSS)<media:description type="plain">\(entry.text)</media:description>
            <description>\(entry.html.asText)</description>
            </item>

            """
    }
}

extension HTML {
    /// The markup as text: a feed contains HTML as escaped text, and interpolation escapes a text.
    var asText: String { String(decoding: bytes, as: UTF8.self) }

    /// The bytes as XML 1.0, with U+FFFD in place of the two characters of text that XML forbids.
    var xml: [UInt8] {
        let text = asText.replacing("\u{FFFE}", by: "\u{FFFD}")
            .replacing("\u{FFFF}", by: "\u{FFFD}")
        return Array(text.utf8)
    }
}

extension Day {
    /// The time ``FeedEntry/published`` in the format of RFC 822: `Fri, 20 Nov 2026 04:00:00 GMT`.
    fileprivate var publishedInRFC822: String {
        // 1 January 1970 was a Thursday; no day is before it.
        let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][number % 7]
        return "\(weekday), \(day) \(monthName.prefix(3)) \(year) 04:00:00 GMT"
    }
}
