internal import Transfer

/// Parses NASA's RSS feed for ``RSSFeed``: each item has the fields of an entry of APOD Basic, NASA's JSON feed.
///
/// `<item><title>M64</title><apod:alt>A galaxy.</apod:alt></item>` has the fields `title` and `alt`.
enum RSSDocument {
    /// The field that an XML element within an item has, by the name of the XML element without its prefix.
    private static let fields: [String: RawEntry.Field] = [
        "title": .title, "url": .permalink, "hdurl": .hdurl, "credit": .credit, "alt": .alt,
        "copyright": .copyright, "explanation": .explanation, "encoded": .basicHTML,
    ]
    /// The maximum length of a tag, in bytes: libxml2 compares all attributes of a tag with each other.
    private static let maximumTagLength = 16 << 10

    /// Returns the items of `body`, the response from `url`; if the XML has an error, only those before the error.
    ///
    /// - Throws: ``FeedError/unusable(_:)`` unless `body` is an RSS feed of at most `limit` items.
    static func elements(
        of body: [UInt8], limit: Int, from url: WebURL
    ) throws(FeedError) -> [RawElement] {
        // Bytes that are not UTF-8 become U+FFFD. Only an item that contains them is rejected.
        let text = String(decoding: body, as: UTF8.self)
        let isUTF8 = text.utf8.elementsEqual(body)

        let tags = text.utf8.split(separator: UInt8(ascii: ">"))
            .map { part in part.drop { $0 != UInt8(ascii: "<") } }
        guard tags.allSatisfy({ $0.count <= maximumTagLength }) else {
            throw .unusable("\(url) returned a tag of more than \(maximumTagLength) bytes")
        }
        let nodes = HTMLDocument.nodes(ofXML: text)
        guard case .opening("rss", _) = nodes.first else {
            let beginning = TextNormalizer.line(String(text.prefix(60)))
            throw .unusable("\(url) returned no RSS feed: \"\(beginning)\"")
        }
        let items = fieldsOfItems(in: nodes)
        guard items.count <= limit else {
            throw .unusable("\(url) returned more than \(limit) entries")
        }
        return items.map { fields in
            let entry = RawEntry(ofPage: fields)
            if !isUTF8, fields.values.contains(where: { $0.contains("\u{FFFD}") }) {
                let reason = "an item is not in UTF-8"
                return .failure(EntryRejection(day: entry.dayOfPage, reason: reason))
            }
            return .success(entry)
        }
    }

    private static func fieldsOfItems(in nodes: [HTMLNode]) -> [[RawEntry.Field: String]] {
        var items: [[RawEntry.Field: String]] = []
        /// The fields of the open item; `nil` outside of items.
        var openItem: [RawEntry.Field: String]?
        /// The field of the open XML element; `nil` outside of elements that are fields.
        var openField: RawEntry.Field?
        for node in nodes {
            switch node {
            case .opening("item", _): openItem = [:]
            case .opening(let name, _): openField = fields[name]
            case .text(let text):
                if let openField { openItem?[openField, default: ""] += text }
            case .closing("item"):
                if let openItem { items.append(openItem) }
                openItem = nil
            case .closing: openField = nil
            }
        }
        return items
    }
}
