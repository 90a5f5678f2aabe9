internal import APOD
internal import Mirror
internal import Platform

/// What the mirror writes into the sidecar of a day.
struct SidecarFields {
    private let values: [XMPProperty: String]

    init(_ record: DayRecord, isFavorite: Bool) {
        let entry = record.entry
        let license = entry.license.flatMap { license in
            ["https://", "http://"].contains(where: license.url.hasPrefix) ? license : nil
        }
        let fields: [XMPProperty: String?] = [
            .title: entry.title,
            .description: entry.explanation,
            .creator: entry.credit ?? entry.copyright,
            .rights: entry.copyright.map { "© \($0)" },
            .source: record.webAddress(of: entry.permalink),
            .credit: entry.credit ?? entry.copyright,
            .alternativeText: entry.alt,
            // The same moment as the modification time of the picture.
            .created: "\(entry.day)T12:00:00Z",
            .rating: isFavorite ? "5" : nil,
            .webStatement: license?.url,
            .usageTerms: license?.name,
        ]
        values = fields.compactMapValues { value in
            let text = value.map(Self.legal) ?? ""
            return text.isEmpty ? nil : text
        }
    }

    /// The value of `property`; `nil` if it is to be absent.
    subscript(property: XMPProperty) -> String? { values[property] }

    /// The text without the characters that XML 1.0 excludes; see its section 2.2.
    private static func legal(_ text: String) -> String {
        let isLegal = { (scalar: Unicode.Scalar) in
            switch scalar.value {
            case 0x9, 0xA, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...: true
            default: false
            }
        }
        guard !text.unicodeScalars.allSatisfy(isLegal) else { return text }
        return String(text.unicodeScalars.filter(isLegal))
    }
}

/// Which value of each property the mirror wrote last, by hash: `title=0123456789abcdef Rating=...`.
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

    /// Whether `value` is what the mirror wrote; `nil` stands for no value.
    func wrote(_ value: String?, as property: XMPProperty) -> Bool {
        hashes[property] == value.map { Self.hash($0)[...] }
    }

    private static func hash(_ text: String) -> String { SHA256.digits(16, of: Array(text.utf8)) }
}
