internal import JSON

/// An unchecked element of a feed, of any kind.
///
/// A field counts as missing if it is not a string (WordPress sends `false`) or is blank.
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
            let limit = Self.limits[field] ?? 0
            var tooLong: EntryRejection {
                .init(day: day, reason: "the field \(field) is longer than \(limit) bytes")
            }
            // An escape sequence encodes a byte in at most six bytes.
            guard value.bytes.count <= 6 * limit + 2 else { throw tooLong }
            guard let text = value.string else { return nil }
            guard text.utf8.count <= limit else { throw tooLong }
            return TextNormalizer.isBlank(text) ? nil : text
        }
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
    /// Takes over the day of `article`, and its picture if this has none.
    mutating func complete(from article: ImageArticle, lacksPicture: Bool) {
        date = article.day.map { "\($0)" } ?? date
        if lacksPicture { hdurl = article.picture ?? hdurl }
    }

    /// The first date in the HTML of the article, written "2007 July 16" or "July 16, 2007".
    ///
    /// The title and the heading come first, links to other days last.
    var pageDay: Day? { Self.day(onPage: basicHTML ?? "") }

    static func day(onPage html: String) -> Day? {
        func isInWord(_ byte: UInt8) -> Bool {
            0x30...0x39 ~= byte || 0x61...0x7a ~= byte | 0x20
        }
        var (first, second) = ("", "")
        var rest = html.utf8.prefix(8 << 10)
        while let start = rest.firstIndex(where: isInWord) {
            let word = rest[start...].prefix(while: isInWord)
            rest = rest[word.endIndex...]
            let third = String(decoding: word, as: UTF8.self).lowercased()
            let day =
                day(year: first, month: second, day: third)
                ?? day(year: third, month: first, day: second)
            if let day { return day }
            (first, second) = (second, third)
        }
        return nil
    }

    private static func day(year: String, month: String, day: String) -> Day? {
        guard let month = Day.months.firstIndex(of: month), let year = Int(year),
            let day = Int(day)
        else { return nil }
        return Day(year: year, month: month + 1, day: day)
    }
}
