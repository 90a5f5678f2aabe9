internal import JSON

/// The fields of an element of a feed, unchecked: of APOD Basic, NASA's feed since 2026, or of v1, the one before it.
///
/// ``EntryDecoder`` makes an ``Entry`` of it. A field counts as missing if it is not a string (WordPress sends `false`)
/// or is blank.
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
    private(set) var hdurl: String?
    let thumbnailURL: String?
    let basicHTML: String?
    /// The number of the post in WordPress, which only APOD Basic has.
    let post: Int?
    /// Recognized by the fields that only APOD Basic has.
    let kind: FeedKind

    /// The maximum length of each decoded field, in bytes.
    private static let limits = [
        "date": TextLimit.line, "title": TextLimit.line, "media_type": TextLimit.line,
        "alt": TextLimit.line, "permalink": TextLimit.address, "url": TextLimit.address,
        "hdurl": TextLimit.address, "thumbnail_url": TextLimit.address,
        "credit": TextLimit.credit, "copyright": TextLimit.credit,
        "explanation": TextLimit.article, "basic_html": TextLimit.article,
    ]

    private static let basicOnly: Set<String> = [
        "post_id", "permalink", "credit", "basic_html", "basic_html_url",
    ]

    private static let names = basicOnly.union(limits.keys)

    /// - Throws: ``EntryRejection`` if the element is not an object or has a field that is too long.
    init(json: RawJSON) throws(EntryRejection) {
        guard let fields = try? json.members(named: Self.names) else {
            throw EntryRejection(day: nil, reason: "an element is not a JSON object")
        }
        var day: Day?
        func text(_ field: String) throws(EntryRejection) -> String? {
            guard let value = fields[field], value.bytes.first == UInt8(ascii: "\"") else {
                return nil
            }
            guard let limit = Self.limits[field] else {
                preconditionFailure("\(field) has no limit")
            }
            // An escape sequence encodes a byte in at most six bytes; a longer text is not decoded.
            let isShort = value.bytes.count <= 6 * limit + 2
            let text = isShort ? value.string : nil
            guard isShort, text?.utf8.count ?? 0 <= limit else {
                throw EntryRejection(
                    day: day, reason: "the field \(field) is longer than \(limit) bytes")
            }
            return text.flatMap { TextNormalizer.isBlank($0) ? nil : $0.withWindowsCharacters }
        }
        // Without a date, the decoder rejects the element.
        date = try? text("date")
        day = date.flatMap { Day(iso: TextNormalizer.line($0)) }
        title = try text("title")
        explanation = try text("explanation")
        mediaType = try text("media_type").map(TextNormalizer.line)
        credit = try text("credit")
        copyright = try text("copyright")
        permalink = try text("permalink")
        alt = try text("alt")
        url = try text("url")
        hdurl = try text("hdurl")
        thumbnailURL = try text("thumbnail_url")
        basicHTML = try text("basic_html")
        post = fields["post_id"]?.integer
        kind = Self.basicOnly.contains { fields[$0] != nil } ? .basic : .v1
    }
}

extension RawEntry {
    /// Takes over the day of the post of this entry, and the picture if the entry lacks one.
    mutating func update(from article: ImageArticle, lacksPicture: Bool) {
        date = article.day.map { "\($0)" } ?? date
        if lacksPicture { hdurl = article.picture ?? hdurl }
    }

    /// The day that the page of the article names.
    var pageDay: Day? { basicHTML.flatMap { Day(onPage: $0) } }
}
