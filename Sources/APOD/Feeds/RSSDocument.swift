internal import Platform
internal import Transfer

/// The items of NASA's RSS feed as elements of APOD Basic.
enum RSSDocument {
    /// The maximum size of a feed, in bytes: its nodes take many times as much.
    private static let maximumSize = 4 << 20
    /// The names of elements of an item, and the fields of APOD Basic that they are.
    private static let fields = [
        "title": "title", "url": "url", "hdurl": "hdurl", "credit": "credit", "alt": "alt",
        "copyright": "copyright", "explanation": "explanation", "encoded": "basic_html",
    ]

    /// Returns the items of `body`, an answer from `url`; what is malformed is left out.
    ///
    /// - Throws: ``FeedError/unusable(_:)`` unless it is a feed of `limit` items at most.
    static func elements(
        of body: [UInt8], limit: Int, from url: WebURL
    ) throws(FeedError) -> [RawElement] {
        guard body.count <= maximumSize else {
            throw .unusable("\(url) returned more than \(maximumSize) bytes")
        }
        let text = String(decoding: body, as: UTF8.self)
        // WordPress may send a blank line first, which XML forbids, as it does control characters.
        let bytes = Array(text.utf8).filter { $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }
        let xml = Array(bytes.drop { $0 <= 0x20 })
        let nodes = xml.hasLongTag ? [] : HTMLDocument.nodes(ofXML: xml)
        guard case .opening("rss", _) = nodes.first else {
            let beginning = TextNormalizer.line(String(text.prefix(60)))
            throw .unusable("\(url) returned no RSS feed: \"\(beginning)\"")
        }
        let items = items(in: nodes)
        guard items.count <= limit else {
            throw .unusable("\(url) returned more than \(limit) entries")
        }
        let isUTF8 = text.utf8.elementsEqual(body)
        return items.map { item in
            let entry = RawEntry(ofPage: item)
            let isDamaged = !isUTF8 && item.values.contains { $0.contains("\u{FFFD}") }
            guard isDamaged else { return .success(entry) }
            return .failure(EntryRejection(day: entry.pageDay, reason: "an item is not in UTF-8"))
        }
    }

    /// The fields of each item.
    private static func items(in nodes: [HTMLNode]) -> [[String: String]] {
        var items: [[String: String]] = []
        var item: [String: String]?
        var field: String?
        for node in nodes {
            switch node {
            case .opening("item", _): item = [:]
            case .opening(let name, _): field = fields[name]
            case .text(let text): if let field { item?[field, default: ""] += text }
            case .closing("item"):
                var fields = item ?? [:]
                fields["permalink"] = fields["url"]
                // WordPress writes the title as text: "<" is no tag in it.
                fields["title"] = fields["title"]?.replacing("<", with: "&lt;")
                items.append(fields)
                item = nil
            case .closing: field = nil
            }
        }
        return items
    }
}

extension [UInt8] {
    /// Whether there is a tag of more than 16 KiB: libxml2 compares all its attributes with each other.
    fileprivate var hasLongTag: Bool {
        split(separator: UInt8(ascii: ">")).contains { part in
            part.firstIndex(of: UInt8(ascii: "<")).map { part.endIndex - $0 > TextLimit.credit }
                ?? false
        }
    }
}
