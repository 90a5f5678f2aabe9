internal import JSON

/// The texts of an element of a feed, as the server sent them; ``EntryDecoder`` makes an ``Entry`` of them.
///
/// A field counts as missing if it is blank, or `null`, `{}` or `false`, which WordPress sends instead of a text. A field
/// that cannot be used is left out, and ``problems`` says so.
struct RawEntry: Sendable {
    /// A field, with its name in JSON.
    enum Field: String, CaseIterable {
        case date, title, explanation
        case mediaType = "media_type"
        case credit, copyright, permalink, alt
        /// The URL of the article in APOD Basic, of the picture or the video in v1.
        case url
        case hdurl
        case thumbnailURL = "thumbnail_url"
        case basicHTML = "basic_html"

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
    /// What is wrong with the fields that are left out, such as "alt is not a text".
    private(set) var problems: [String] = []

    /// The names that only APOD Basic has.
    private static let basicNames: Set = [
        "post_id", "permalink", "credit", "basic_html", "basic_html_url",
    ]
    private static let names = basicNames.union(Field.allCases.map(\.rawValue))

    /// - Throws: ``EntryRejection`` if the element is not an object.
    init(json: RawJSON) throws(EntryRejection) {
        guard let members = try? json.members(named: Self.names) else {
            throw EntryRejection(day: nil, reason: "an element is not a JSON object")
        }
        kind = Self.basicNames.contains { members[$0] != nil } ? .basic : .v1
        for field in Field.allCases {
            read(field) { () throws(UnusableField) in
                try members[field.rawValue]?.text(limit: field.limit)
            }
        }
    }

    /// An element of APOD Basic with these `fields`, and with the date on its page of the day, the field `basicHTML`.
    ///
    /// The title is plain text, while that of an element in JSON is HTML.
    init(ofPage fields: [Field: String]) {
        kind = .basic
        for field in Field.allCases where field != .date {
            read(field) { () throws(UnusableField) in
                guard let text = fields[field] else { return nil }
                guard text.utf8.count <= field.limit else {
                    throw UnusableField(limit: field.limit)
                }
                // An `&` stays, because NASA may have escaped the title twice.
                return field == .title ? text.replacing("<", with: "&lt;") : text
            }
        }
        texts[.date] = pageDay?.description
    }

    private mutating func read(_ field: Field, from text: () throws(UnusableField) -> String?) {
        do {
            guard let text = try text(), !TextNormalizer.isBlank(text) else { return }
            texts[field] = text.withWindowsCharacters
        } catch {
            problems.append("\(field.rawValue) is \(error.reason)")
        }
    }

    subscript(field: Field) -> String? { texts[field] }

    var mediaType: String? { self[.mediaType].map(TextNormalizer.line) }

    /// The day that the page of the article names.
    var pageDay: Day? { self[.basicHTML].flatMap { Day(onPage: $0) } }
}

private struct UnusableField: Error {
    /// A phrase such as "longer than 4096 bytes".
    let reason: String

    init(reason: String) { self.reason = reason }

    init(limit: Int) { reason = "longer than \(limit) bytes" }
}

extension RawJSON {
    /// The text of a field: a string, a number as it is written, or the string in an object `{"rendered": "…"}` of
    /// WordPress; `nil` for other values that mean that there is no text.
    fileprivate func text(limit: Int) throws(UnusableField) -> String? {
        switch bytes.first {
        case UInt8(ascii: "\""):
            // An escape sequence encodes a byte in at most six bytes; a longer string is not decoded.
            let mayFit = bytes.count <= 6 * limit + 2
            guard mayFit, let text = string, text.utf8.count <= limit else {
                throw UnusableField(limit: limit)
            }
            return text
        case UInt8(ascii: "{"):
            let members = try? members(named: ["rendered"])
            if let rendered = members?["rendered"], rendered.bytes.first != UInt8(ascii: "{") {
                return try rendered.text(limit: limit)
            }
        case UInt8(ascii: "["): break
        case .some(let byte) where byte == UInt8(ascii: "-") || byte.isDigit:
            return String(decoding: bytes.prefix(40), as: UTF8.self)
        // `false`, `null` and `true`.
        default: return nil
        }
        // PHP writes an empty object as a list.
        let isEmpty = bytes.dropFirst().dropLast().allSatisfy { $0 <= 0x20 }
        if isEmpty { return nil }
        throw UnusableField(reason: "not a text")
    }
}
