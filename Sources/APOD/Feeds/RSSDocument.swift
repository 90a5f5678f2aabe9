internal import Platform
internal import Transfer

/// Reads the items of NASA's RSS feed as elements of APOD Basic.
///
/// `<item><title>M64</title><apod:alt>A galaxy.</apod:alt></item>` is an element with the fields `title` and `alt`.
enum RSSDocument {
    /// The field of APOD Basic that an XML element of an item has, by the name of the XML element without its prefix.
    private static let fields: [String: RawEntry.Field] = [
        "title": .title, "url": .permalink, "hdurl": .hdurl, "credit": .credit, "alt": .alt,
        "copyright": .copyright, "explanation": .explanation, "encoded": .basicHTML,
    ]
    /// The maximum length of a tag, in bytes: libxml2 compares all attributes of a tag with each other.
    private static let longestTag = 16 << 10

    /// Reads `body`, an answer from `url`; after an error in the XML, the items before the error remain.
    ///
    /// - Throws: ``FeedError/unusable(_:)`` unless it is an RSS feed of at most `limit` items.
    static func elements(
        of body: [UInt8], limit: Int, from url: WebURL
    ) throws(FeedError) -> [RawElement] {
        // Bytes that are not UTF-8 become U+FFFD, which rejects only the item that has them.
        let text = String(decoding: body, as: UTF8.self)
        let isUTF8 = text.utf8.elementsEqual(body)

        let tags = text.utf8.split(separator: UInt8(ascii: ">"))
            .map { $0.drop { $0 != UInt8(ascii: "<") } }
        guard tags.allSatisfy({ $0.count <= longestTag }) else {
            throw .unusable("\(url) returned a tag of more than \(longestTag) bytes")
        }
        let nodes = HTMLDocument.nodes(ofXML: text)
        guard case .opening("rss", _) = nodes.first else {
            let beginning = TextNormalizer.line(String(text.prefix(60)))
            throw .unusable("\(url) returned no RSS feed: \"\(beginning)\"")
        }
        let items = items(in: nodes)
        guard items.count <= limit else {
            throw .unusable("\(url) returned more than \(limit) entries")
        }
        return items.map { item in
            let entry = RawEntry(ofPage: item)
            if !isUTF8, item.values.contains(where: { $0.contains("\u{FFFD}") }) {
                let reason = "an item is not in UTF-8"
                return .failure(EntryRejection(day: entry.pageDay, reason: reason))
            }
            return .success(entry)
        }
    }

    /// Returns the fields of each item.
    private static func items(in nodes: [HTMLNode]) -> [[RawEntry.Field: String]] {
        var items: [[RawEntry.Field: String]] = []
        /// The fields of the open item; `nil` outside of items.
        var item: [RawEntry.Field: String]?
        var field: RawEntry.Field?
        for node in nodes {
            switch node {
            case .opening("item", _): item = [:]
            case .opening(let name, _): field = fields[name]
            case .text(let text):
                if let field { item?[field, default: ""] += text }
            case .closing("item"):
                if let item { items.append(item) }
                item = nil
            case .closing: field = nil
            }
        }
        return items
    }
}
