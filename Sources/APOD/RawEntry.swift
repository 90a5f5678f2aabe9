/// One element of a feed's answer, as it came: of either shape, nothing in it trusted yet.
///
/// A field that is no text, `false` or a number, counts as missing; so does one without text.
struct RawEntry: Hashable, Sendable {
    let date: String?
    let title: String?
    let explanation: String?
    let mediaType: String?
    let credit: String?
    let copyright: String?
    let permalink: String?
    let alt: String?
    /// The article in the shape of APOD Basic, the picture or the video in v1's.
    let url: String?
    let hdurl: String?
    let thumbnailURL: String?
    let basicHTML: String?
    /// Told by the fields that only this shape has.
    let kind: FeedKind

    /// The most bytes that each field may have as text.
    private static let limits = [
        "date": 4 << 10, "title": 4 << 10, "media_type": 4 << 10, "permalink": 4 << 10,
        "alt": 4 << 10, "url": 4 << 10, "hdurl": 4 << 10, "thumbnail_url": 4 << 10,
        "credit": 64 << 10, "copyright": 64 << 10,
        "explanation": 256 << 10, "basic_html": 256 << 10,
    ]

    private static let basicOnly: Set<String> = [
        "post_id", "permalink", "credit", "basic_html", "basic_html_url",
    ]

    private static let names = basicOnly.union(limits.keys)

    /// Reads the JSON of one element.
    ///
    /// - Throws: ``Rejection`` where it is no object or has a field that is too long.
    init(json: ArraySlice<UInt8>) throws(Rejection) {
        guard let fields = try? JSONSlices.members(of: json, named: Self.names) else {
            throw Rejection(day: nil, reason: "an element is no object")
        }
        let date = (try? Self.text("date", of: fields)) ?? nil
        self.date = date
        do throws(TooLong) {
            title = try Self.text("title", of: fields)
            explanation = try Self.text("explanation", of: fields)
            mediaType = try Self.text("media_type", of: fields).map(TextNormalizer.line)
            credit = try Self.text("credit", of: fields)
            copyright = try Self.text("copyright", of: fields)
            permalink = try Self.text("permalink", of: fields)
            alt = try Self.text("alt", of: fields)
            url = try Self.text("url", of: fields)
            hdurl = try Self.text("hdurl", of: fields)
            thumbnailURL = try Self.text("thumbnail_url", of: fields)
            basicHTML = try Self.text("basic_html", of: fields)
        } catch {
            throw Rejection(
                day: date.flatMap { Day(iso: TextNormalizer.line($0)) },
                reason: "the field \(error.field) has more than \(error.limit) bytes")
        }
        kind = Self.basicOnly.contains { fields[$0] != nil } ? .basic : .v1
    }

    private struct TooLong: Error {
        let field: String
        let limit: Int
    }

    private static func text(
        _ field: String, of fields: [String: ArraySlice<UInt8>]
    ) throws(TooLong) -> String? {
        guard let value = fields[field], value.first == UInt8(ascii: "\"") else { return nil }
        let limit = limits[field] ?? 0
        // An escape has at most six bytes for one.
        guard value.count <= 6 * limit + 2 else { throw TooLong(field: field, limit: limit) }
        guard let text = JSONSlices.string(value) else { return nil }
        guard text.utf8.count <= limit else { throw TooLong(field: field, limit: limit) }
        return TextNormalizer.isBlank(text) ? nil : text
    }
}
