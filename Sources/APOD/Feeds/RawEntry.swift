internal import JSON

/// The fields of an element of a feed, unchecked: of APOD Basic, NASA's feed since 2026, or of v1, the one before it.
///
/// ``EntryDecoder`` makes an ``Entry`` of it. A field counts as missing if it is blank, `null`, empty or `false`, which
/// WordPress sends; one that cannot be used is left out, and ``problems`` says so.
struct RawEntry: Hashable, Sendable {
    private(set) var date: String?
    let title: String?
    let explanation: String?
    let mediaType: String?
    let credit: String?
    let copyright: String?
    let permalink: String?
    let alt: String?
    /// The article in APOD Basic, the picture or the video in v1.
    let url: String?
    let hdurl: String?
    let thumbnailURL: String?
    let basicHTML: String?
    /// Recognized by the fields that only APOD Basic has.
    let kind: FeedKind
    /// What is wrong with the fields that are left out, a phrase each.
    let problems: [String]

    /// The maximum length of each decoded field, in bytes.
    private static let limits = [
        "date": TextLimit.line, "title": TextLimit.line, "media_type": TextLimit.line,
        "alt": TextLimit.line, "permalink": TextLimit.address, "url": TextLimit.address,
        "hdurl": TextLimit.address, "thumbnail_url": TextLimit.address,
        "credit": TextLimit.credit, "copyright": TextLimit.credit,
        "explanation": TextLimit.article, "basic_html": TextLimit.page,
    ]

    private static let basicOnly: Set<String> = [
        "post_id", "permalink", "credit", "basic_html", "basic_html_url",
    ]

    private static let names = basicOnly.union(limits.keys)

    /// - Throws: ``EntryRejection`` if the element is not an object.
    init(json: RawJSON) throws(EntryRejection) {
        guard let fields = try? json.members(named: Self.names) else {
            throw EntryRejection(day: nil, reason: "an element is not a JSON object")
        }
        self.init(kind: Self.basicOnly.contains { fields[$0] != nil } ? .basic : .v1) {
            field, limit throws(UnusableField) in try fields[field]?.text(limit: limit)
        }
    }

    /// Reads `fields` with the names of APOD Basic; the date is that on the page of the day, whatever the feed has.
    init(ofPage fields: [String: String]) {
        self.init(kind: .basic) { field, limit throws(UnusableField) in
            guard let text = fields[field], text.utf8.count > limit else { return fields[field] }
            throw UnusableField(reason: "longer than \(limit) bytes")
        }
        date = pageDay.map { "\($0)" }
    }

    /// `value` returns the text of a field, of so many bytes at most; `nil` if it has none.
    private init(
        kind: FeedKind,
        value: (_ field: String, _ limit: Int) throws(UnusableField) -> String?
    ) {
        var problems: [String] = []
        func text(_ field: String) -> String? {
            guard let limit = Self.limits[field] else { return nil }
            do {
                return try value(field, limit).flatMap {
                    TextNormalizer.isBlank($0) ? nil : $0.withWindowsCharacters
                }
            } catch {
                problems.append("\(field) is \(error.reason)")
                return nil
            }
        }
        date = text("date")
        title = text("title")
        explanation = text("explanation")
        mediaType = text("media_type").map(TextNormalizer.line)
        credit = text("credit")
        copyright = text("copyright")
        permalink = text("permalink")
        alt = text("alt")
        url = text("url")
        hdurl = text("hdurl")
        thumbnailURL = text("thumbnail_url")
        basicHTML = text("basic_html")
        self.kind = kind
        self.problems = problems
    }
}

/// Why a field cannot be used.
private struct UnusableField: Error {
    let reason: String
}

extension RawJSON {
    /// The text of a field: a string, a number as it is written, or the string in an object `{"rendered": "…"}` of
    /// WordPress, of at most `limit` bytes; `nil` if it has none.
    fileprivate func text(limit: Int) throws(UnusableField) -> String? {
        switch bytes.first {
        case UInt8(ascii: "\""):
            // An escape sequence encodes a byte in at most six bytes; a longer text is not decoded.
            let mayBeShort = bytes.count <= 6 * limit + 2
            if let text = mayBeShort ? string : nil, text.utf8.count <= limit { return text }
            throw UnusableField(reason: "longer than \(limit) bytes")
        case UInt8(ascii: "{"):
            let members = try? members(named: ["rendered"])
            if let rendered = members?["rendered"], rendered.bytes.first != UInt8(ascii: "{") {
                return try rendered.text(limit: limit)
            }
        case UInt8(ascii: "["): break
        case .some(let byte) where byte == UInt8(ascii: "-") || byte.isDigit:
            return String(decoding: bytes.prefix(40), as: UTF8.self)
        // `false` and `null`; `true` says nothing either.
        default: return nil
        }
        // PHP writes an empty object as a list.
        if bytes.dropFirst().dropLast().allSatisfy({ $0 <= 0x20 }) { return nil }
        throw UnusableField(reason: "not a text")
    }
}

extension RawEntry {
    /// The day that the page of the article names.
    var pageDay: Day? { basicHTML.flatMap { Day(onPage: $0) } }
}
