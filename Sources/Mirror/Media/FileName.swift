package import APOD
internal import MediaFormat
// For `_nfc`: FoundationEssentials has no normalization.
@_spi(_Unicode) import Swift

/// The file name of a day's picture: `2026-11-20 The Crab Nebula.jpg`.
///
/// Valid and preserved on ext4, exFAT, NTFS and Samba: NFC, none of `/ \ : * ? " < > |`, no
/// control or formatting characters except the joiner in emoji, no trailing dot or blank, at most
/// ``maximumBytes`` long. The date makes it unique, even if case is ignored; a number is added only where a user's
/// file has the name.
package enum FileName {
    /// The longest name in bytes of UTF-8, its extension included.
    ///
    /// File systems allow 255 bytes, eCryptfs 143; the name of a sidecar is longer than that of its picture.
    package static let maximumBytes = 120

    /// The length of the day at the start of each name: `2026-11-20`.
    package static let dayLength = 10

    /// The bytes for the dot and an extension of up to five letters.
    private static let reservedBytes = 6

    /// A word at the end that is longer, with the blank before it, is cut, and not dropped as a whole.
    private static let longWordBytes = 24

    /// The name without its extension.
    package static func stem(of day: Day, title: String) -> String {
        let words = trimmed(legal(title).split(separator: " ").joined(separator: " "))
        let stem = "\(day) \(words.isEmpty ? "Untitled" : words)"
        let name = trimmed(cut(stem, to: maximumBytes - reservedBytes))
        // A first character with very many combining marks is dropped as a whole, and only the day is left.
        return name == "\(day)" ? "\(day) Untitled" : name
    }

    /// The same `stem` with a number at its end.
    static func numbered(_ stem: String, _ number: Int) -> String {
        let suffix = " \(number)"
        return trimmed(cut(stem, to: maximumBytes - reservedBytes - suffix.utf8.count)) + suffix
    }

    /// The day at the start of `name`; `nil` if there is none.
    package static func day(of name: some StringProtocol) -> Day? {
        Day(iso: name.prefix(dayLength))
    }

    /// The day at the start of `name`, the bytes of an item of a directory; `nil` if there is none.
    package static func day(of name: [UInt8]) -> Day? { Day(iso: name.prefix(dayLength)) }

    /// The name in `previous/` of the file `name` that an edit replaced: `2026-11-20 SHA-256.jpg`; that of a record
    /// has its revision as `label`: `2026-11-20 r1 SHA-256.json`.
    ///
    /// In `damaged/`, the label is a number if there is a file of the same contents.
    package static func previous(
        _ name: String, day: Day, sha256: String, label: String = ""
    ) -> String {
        "\(day) \(label)\(sha256)\(name.splitAtLastDot?.ending ?? "")"
    }

    /// The SHA-256 in a name that ``previous(_:day:sha256:label:)`` gives; `nil` in any other.
    static func hash(inPrevious name: String) -> String? {
        let stem = name.splitAtLastDot?.stem ?? name[...]
        let hash = String(stem.suffix(sha256Length))
        let isNamed = day(of: name) != nil && stem.dropLast(sha256Length).last == " "
        return isNamed && hash.isSHA256 ? hash : nil
    }

    /// The digits of a SHA-256.
    static let sha256Length = 64

    private static func legal(_ title: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in title.unicodeScalars.compactMap(Self.visible) {
            switch scalar {
            case "/", "\\", "|": scalars.append("-")
            case ":": scalars.append(contentsOf: " - ".unicodeScalars)
            case "\"": scalars.append("'")
            case "<": scalars.append("(")
            case ">": scalars.append(")")
            case "*", "?": continue
            default: scalars.append(scalar)
            }
        }
        // Last: an accent may follow a character that was dropped.
        return String(scalars)._nfc.reduce(into: "") { $0.unicodeScalars.append($1) }
    }

    /// `scalar`, a space for any white space, `nil` for an invisible character.
    private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator: " "
        case .control: scalar.properties.isWhitespace ? " " : nil
        // The zero-width joiner is part of emoji.
        case .format: scalar == "\u{200d}" ? scalar : nil
        case .surrogate, .unassigned, .privateUse: nil
        default: scalar == "\u{fffd}" ? nil : scalar
        }
    }

    /// Truncates `text`, at a word boundary unless the last word is longer than ``longWordBytes``.
    private static func cut(_ text: String, to bytes: Int) -> String {
        var length = 0
        let start = text.prefix { character in
            length += character.utf8.count
            return length <= bytes
        }
        guard start.endIndex < text.endIndex, text[start.endIndex] != " ",
            let blank = start.lastIndex(of: " "), start[blank...].utf8.count <= longWordBytes
        else { return String(start) }
        return String(start[..<blank])
    }

    private static func trimmed(_ text: String) -> String {
        var text = text
        while text.last == " " || text.last == "." { text.removeLast() }
        return text
    }
}

extension StringProtocol {
    /// The part before the last dot, and the extension with the dot; `nil` without a dot.
    package var splitAtLastDot: (stem: SubSequence, ending: SubSequence)? {
        lastIndex(of: ".").map { (self[..<$0], self[$0...]) }
    }
}
