/// One element of a feed's answer, as it came: of either shape, nothing in it trusted yet.
///
/// A field that is no text, `false` or a number, counts as missing; so does one without text.
struct Element: Hashable, Sendable {
    var date: String?
    var title: String?
    var explanation: String?
    var mediaType: String?
    var credit: String?
    var copyright: String?
    var permalink: String?
    var alt: String?
    /// The article in the shape of APOD Basic, the picture or the video in v1's.
    var url: String?
    var hdurl: String?
    var thumbnailURL: String?
    var basicHTML: String?
    /// Told by the fields that only this shape has.
    var kind: FeedKind
}

extension Element: Decodable {
    private enum CodingKeys: String, CodingKey {
        case date, title, explanation, credit, copyright, permalink, alt, url, hdurl
        case mediaType = "media_type"
        case thumbnailURL = "thumbnail_url"
        case basicHTML = "basic_html"
        case basicHTMLAddress = "basic_html_url"
        case postID = "post_id"
    }

    private static let basicOnly: [CodingKeys] = [
        .postID, .permalink, .credit, .basicHTML, .basicHTMLAddress,
    ]

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) -> String? {
            let text = try? fields.decodeIfPresent(String.self, forKey: key)
            return text.flatMap { CleanText.isBlank($0) ? nil : $0 }
        }
        date = text(.date)
        title = text(.title)
        explanation = text(.explanation)
        mediaType = text(.mediaType).map(CleanText.line)
        credit = text(.credit)
        copyright = text(.copyright)
        permalink = text(.permalink)
        alt = text(.alt)
        url = text(.url)
        hdurl = text(.hdurl)
        thumbnailURL = text(.thumbnailURL)
        basicHTML = text(.basicHTML)
        kind = Self.basicOnly.contains { fields.contains($0) } ? .basic : .v1
    }
}
