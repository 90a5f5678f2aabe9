internal import APOD
internal import JSON
internal import Platform

/// The RSS feed at `/feed/apod-basic/`: the entries of APOD Basic with other names, of a month or the newest.
struct SimulatedRSSFeed: Sendable {
    let basic: SimulatedBasicFeed

    private static let newestCount = 30

    func response(to query: [String: String]) -> SimulatedResponse {
        var days = Array(basic.catalog.published.reversed())
        if let year = query["year"].flatMap({ Int($0) }),
            let month = query["month"].flatMap({ Int($0) })
        {
            days = days.filter { $0.year == year && $0.month == month }
        } else {
            days = Array(days.prefix(Self.newestCount))
        }
        return feed(
            of: days.compactMap { day in basic.catalog.entry(of: day).map { basic.object($0) } })
    }

    /// The feed of these elements of APOD Basic.
    func feed(of elements: [JSON]) -> SimulatedResponse {
        let text = """
            <?xml version="1.0" encoding="UTF-8" ?>
            <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" \
            xmlns:atom="http://www.w3.org/2005/Atom" xmlns:apod="https://science.nasa.gov/apod/">
            <channel>
            \t<title>APOD Basic</title>
            \t<description>APOD Basic markup feed.</description>
            \t<link>https://science.nasa.gov/</link>
            \t<language>en-us</language>
            \(elements.map(Self.item).joined(separator: "\n"))
            </channel>
            </rss>

            """
        return .text(text, type: "application/rss+xml; charset=UTF-8")
    }

    private static func item(_ element: JSON) -> String {
        func text(_ field: String) -> String { element[field]?.string ?? "" }
        func data(_ field: String) -> String {
            "<![CDATA[\(text(field).replacing("]]>", with: "]]]]><![CDATA[>"))]]>"
        }
        // WordPress writes the references of HTML as they are, and those without a name in XML as numbers.
        let address = text("permalink").htmlEscaped
        return """
            \t<item>
            \t\t<title>\(text("title"))</title>
            \t\t<link>\(address)</link>
            \t\t<pubDate>Wed, 16 Sep 2026 04:05:00 +0000</pubDate>
            \t\t<apod:url>\(address)</apod:url>
            \t\t<apod:hdurl>\(text("hdurl").htmlEscaped)</apod:hdurl>
            \t\t<apod:credit>\(data("credit"))</apod:credit>
            \t\t<apod:copyright>\(data("copyright"))</apod:copyright>
            \t\t<apod:alt>\(text("alt").htmlEscaped)</apod:alt>
            \t\t<apod:explanation>\(data("explanation"))</apod:explanation>
            \t\t<description>\(data("explanation"))</description>
            \t\t<content:encoded>\(data("basic_html"))</content:encoded>
            \t</item>
            """
    }
}
