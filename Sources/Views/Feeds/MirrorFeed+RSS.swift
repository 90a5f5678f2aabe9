internal import APOD
internal import Mirror

extension MirrorFeed {
    /// The feed as RSS 2.0, for programs that know Media RSS and not Atom, such as Variety.
    var rss: [UInt8] {
        let base = baseURL ?? ""
        let feed: HTML = """
            <?xml version="1.0" encoding="UTF-8"?>
            <rss version="2.0" xmlns:media="\(Self.mediaNamespace)" xmlns:atom="http://www.w3.org/2005/Atom">
            <channel>
            \(HTML(stringLiteral: Self.mark))
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
        """
        <item>
        <title>\(entry.title)</title>
        <link>\(entry.link)</link>
        <guid isPermaLink="false">\(entry.id)</guid>
        <pubDate>\(entry.record.entry.day.atMidnightInNewYork)</pubDate>
        \(entry.mediaRSS)<description>\(String(decoding: entry.html.bytes, as: UTF8.self))</description>
        </item>

        """
    }
}

extension Day {
    /// The moment of ``FeedEntry/published`` in the format of RFC 822.
    fileprivate var atMidnightInNewYork: String {
        // 1 January 1970 was a Thursday; no day is before it.
        let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][number % 7]
        return "\(weekday), \(day) \(monthName.prefix(3)) \(year) 04:00:00 GMT"
    }
}
