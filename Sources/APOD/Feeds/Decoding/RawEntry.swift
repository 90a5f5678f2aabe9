internal import JSON

/// The fields of an entry as the server sent them, before ``EntryDecoder`` makes an ``Entry`` of them.
///
/// A field counts as missing if it is blank, or if it is `null`, `{}` or `false`, which WordPress sends instead of a text.
/// A field that cannot be used, such as one that is too long, is left out and reported in ``problems``.
struct RawEntry: Sendable {
    /// A field; its raw value is its name in JSON.
    enum Field: String, CaseIterable {
        case date, title, explanation
        case mediaType = "media_type"
        case credit, copyright, permalink, alt
        /// The URL of the article in APOD Basic, of the picture or the video in v1.
        case url
        case hdurl
        case thumbnailURL = "thumbnail_url"
        case basicHTML = "basic_html"

        /// Whether the field may have the address of the picture or of the video in an entry of a feed of this `kind`.
        fileprivate func mayNameMedia(in kind: FeedKind) -> Bool {
            switch self {
            case .hdurl, .basicHTML: true
            case .url, .thumbnailURL: kind == .v1
            case .date, .title, .explanation, .mediaType, .credit, .copyright, .permalink, .alt:
                false
            }
        }

        /// The maximum length, in bytes.
        fileprivate var limit: Int {
            switch self {
            case .date, .title, .mediaType, .alt: TextLimit.line
            case .permalink, .url, .hdurl, .thumbnailURL: TextLimit.address
            case .credit, .copyright: TextLimit.credit
            case .explanation: TextLimit.article
            case .basicHTML: TextLimit.page
            }
        }
    }

    let kind: FeedKind
    private var texts: [Field: String] = [:]
    /// Why fields are left out, such as "alt is not a text".
    private(set) var problems: [String] = []
    /// Why the entry may lack a picture or video: the first problem of a field that may name one; `nil` if there is none.
    private(set) var mediaProblem: String?

    /// The names in JSON that entries of v1 do not have.
    private static let namesOnlyInBasic: Set = [
        "post_id", "permalink", "credit", "basic_html", "basic_html_url",
    ]
    private static let names = namesOnlyInBasic.union(Field.allCases.map(\.rawValue))

    /// Reads an element of the list that the API of NASA or of a compatible server sent.
    ///
    /// - Throws: ``EntryRejection`` if the element is not an object.
    init(json: RawJSON) throws(EntryRejection) {
        guard let members = try? json.members(named: Self.names) else {
            throw EntryRejection(day: nil, reason: "an element is not a JSON object")
        }
        kind = Self.namesOnlyInBasic.contains { members[$0] != nil } ? .basic : .v1
        for field in Field.allCases {
            do throws(UnusableField) {
                store(try members[field.rawValue]?.text(limit: field.limit), in: field)
            } catch {
                leaveOut(field, because: error.reason)
            }
        }
    }

    /// Reads `fields` that were found in a web page or an RSS feed, as an entry of APOD Basic.
    ///
    /// The date is that on the web page, the field `basicHTML`. The title is plain text, while in JSON it is HTML.
    init(ofPage fields: [Field: String]) {
        kind = .basic
        for field in Field.allCases where field != .date {
            let text = fields[field] ?? ""
            if text.utf8.count > field.limit {
                leaveOut(field, because: UnusableField(limit: field.limit).reason)
            } else {
                // An `&` stays, because NASA may have escaped the title twice.
                store(field == .title ? text.replacing("<", with: "&lt;") : text, in: field)
            }
        }
        texts[.date] = dayOfPage?.description
    }

    private mutating func store(_ text: String?, in field: Field) {
        guard let text, !TextNormalizer.isBlank(text) else { return }
        texts[field] = text.withWindowsCharacters
    }

    /// Removes a field, and reports the `reason`: what the field is, such as "longer than 4096 bytes".
    mutating func leaveOut(_ field: Field, because reason: String) {
        let problem = "\(field.rawValue) is \(reason)"
        texts[field] = nil
        problems.append(problem)
        guard field.mayNameMedia(in: kind), mediaProblem == nil else { return }
        mediaProblem = "NASA's entry could not be read completely: \(problem)"
    }

    subscript(field: Field) -> String? { texts[field] }

    var mediaType: String? { self[.mediaType].map(TextNormalizer.line) }

    /// The date on the web page of the entry, which the field `basicHTML` contains; `nil` if there is no date.
    var dayOfPage: Day? { self[.basicHTML].flatMap { Day(onPage: $0) } }
}
