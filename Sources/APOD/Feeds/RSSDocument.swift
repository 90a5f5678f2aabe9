internal import Platform
internal import Transfer

/// The items of NASA's RSS feed as elements of APOD Basic.
enum RSSDocument {
    /// The maximum size of a feed, in bytes: its nodes take many times as much.
    private static let maximumSize = 4 << 20
    /// The maximum length of a tag, in bytes: libxml2 compares all attributes of a tag with each other.
    private static let longestTag = 16 << 10
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
        guard !xml.hasTag(longerThan: longestTag) else {
            throw .unusable("\(url) returned a tag of more than \(longestTag) bytes")
        }
        let nodes = HTMLDocument.nodes(ofXML: xml)
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
                var complete = item ?? [:]
                complete["permalink"] = complete["url"]
                // WordPress writes the title as text: "<" is no tag in it.
                complete["title"] = complete["title"]?.replacing("<", with: "&lt;")
                items.append(complete)
                item = nil
            case .closing: field = nil
            }
        }
        return items
    }
}

extension [UInt8] {
    /// Whether more than `limit` bytes of XML follow a `<` before the next `>`.
    fileprivate func hasTag(longerThan limit: Int) -> Bool {
        split(separator: UInt8(ascii: ">")).contains { part in
            guard let start = part.firstIndex(of: UInt8(ascii: "<")) else { return false }
            return part.endIndex - start > limit
        }
    }
}
