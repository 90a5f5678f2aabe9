internal import APOD
internal import Mirror
internal import Platform

/// The properties that the mirror writes into the sidecar of a day, an XMP file beside the picture.
struct SidecarFields {
    private let values: [XMPProperty: String]

    init(_ record: DayRecord, isFavorite: Bool) {
        let entry = record.entry
        // Terms that cannot be looked up on the web are left out, with their name.
        let license = entry.license.flatMap {
            $0.url.hasPrefix("https://") || $0.url.hasPrefix("http://") ? $0 : nil
        }
        let fields: [XMPProperty: String?] = [
            .title: entry.title,
            .description: entry.explanation,
            // Photo managers show one or the other.
            .creator: entry.credit ?? entry.copyright,
            .credit: entry.credit ?? entry.copyright,
            // The record has the name of the holder only.
            .rights: entry.copyright.map { "© \($0)" },
            .source: record.webAddress(of: entry.permalink),
            .alternativeText: entry.alt,
            // The modification time of the picture, Day.noon.
            .created: "\(entry.day)T12:00:00Z",
            .rating: isFavorite ? "5" : nil,
            .webStatement: license?.url,
            .usageTerms: license?.name,
        ]
        values = fields.compactMapValues { value in
            let text = value.map(Self.validXML) ?? ""
            return text.isEmpty ? nil : text
        }
    }

    /// The value of `property`; `nil` if it is to be absent.
    subscript(property: XMPProperty) -> String? { values[property] }

    /// The text without the characters that XML 1.0 excludes; see its section 2.2.
    private static func validXML(_ text: String) -> String {
        let isValid = { (scalar: Unicode.Scalar) in
            switch scalar.value {
            case 0x9, 0xA, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...: true
            default: false
            }
        }
        guard !text.unicodeScalars.allSatisfy(isValid) else { return text }
        return String(text.unicodeScalars.filter(isValid))
    }
}

/// Which value of each property the mirror wrote last, by hash: `title=0123456789abcdef Rating=89abcdef01234567`.
///
/// It is a property of the sidecar itself, and distinguishes a field that a photo manager edited from one that is
/// to follow NASA.
struct SidecarMark: Equatable {
    private var hashes: [XMPProperty: Substring] = [:]

    init(of fields: SidecarFields) {
        for property in XMPProperty.allCases {
            hashes[property] = fields[property].map { Self.hash($0)[...] }
        }
    }

    /// The mark in a sidecar; empty if it has none.
    init(_ text: String?) {
        for word in (text ?? "").split(separator: " ") {
            let parts = word.split(separator: "=")
            guard parts.count == 2, let property = XMPProperty(rawValue: String(parts[0])) else {
                continue
            }
            hashes[property] = parts[1]
        }
    }

    var text: String {
        XMPProperty.allCases.compactMap { property in
            hashes[property].map { "\(property.rawValue)=\($0)" }
        }.joined(separator: " ")
    }

    /// Whether `value` is what the mirror wrote last; `nil` stands for no value.
    ///
    /// So a property that is missing may be added to a sidecar of another program, and not one that a user removed.
    func wrote(_ value: String?, as property: XMPProperty) -> Bool {
        hashes[property] == value.map { Self.hash($0)[...] }
    }

    /// 64 bits: nobody gains anything by a collision.
    private static func hash(_ text: String) -> String { SHA256.digits(16, of: Array(text.utf8)) }
}
