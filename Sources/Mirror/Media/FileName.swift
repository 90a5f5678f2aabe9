package import APOD
@_spi(_Unicode) import Swift

/// The file name of a day's picture: `2026-11-20 The Crab Nebula.jpg`.
///
/// Valid and preserved on ext4, exFAT, NTFS and Samba: NFC, none of `/ \ : * ? " < > |`, no
/// control or formatting characters, no trailing dot or blank, at most ``maximumBytes`` long. The date
/// makes it unique, even if case is ignored.
package enum FileName {
    /// The longest name in bytes of UTF-8, its extension included.
    package static let maximumBytes = 120

    /// The bytes for the dot and the extension.
    private static let reservedBytes = 6

    /// The name without its extension.
    package static func stem(of day: Day, title: String) -> String {
        let words = trimmed(legal(title).split(separator: " ").joined(separator: " "))
        let stem = "\(day) \(words.isEmpty ? "Untitled" : words)"
        let name = trimmed(cut(stem, to: maximumBytes - reservedBytes))
        // A single character may have any number of combining marks.
        return name == "\(day)" ? "\(day) Untitled" : name
    }

    /// The same `stem` with a number at its end.
    static func numbered(_ stem: String, _ number: Int) -> String {
        let ending = " \(number)"
        return trimmed(cut(stem, to: maximumBytes - reservedBytes - ending.utf8.count)) + ending
    }

    /// The day at the start of `name`; `nil` if there is none.
    package static func day(of name: some StringProtocol) -> Day? {
        Day(iso: name.prefix(10))
    }

    /// The day at the start of `name`; `nil` if there is none.
    package static func day(of name: [UInt8]) -> Day? { Day(iso: name.prefix(10)) }

    /// The name in `previous/` of a file that an edit replaced: `2026-11-20 SHA-256.jpg`.
    package static func previous(
        _ name: String, day: Day, sha256: String, label: String = ""
    ) -> String {
        "\(day) \(label)\(sha256)\(name.splitAtLastDot?.ending ?? "")"
    }

    private static func legal(_ title: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in title._nfc {
            switch scalar {
            case "/", "\\", "|": scalars.append("-")
            case ":": scalars.append(contentsOf: " - ".unicodeScalars)
            case "\"": scalars.append("'")
            case "<": scalars.append("(")
            case ">": scalars.append(")")
            case "*", "?": continue
            default: if let scalar = visible(scalar) { scalars.append(scalar) }
            }
        }
        return String(scalars)
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

    /// Truncates `text`, at a word boundary unless the last word is long.
    private static func cut(_ text: String, to bytes: Int) -> String {
        var length = 0
        let start = text.prefix { character in
            length += character.utf8.count
            return length <= bytes
        }
        guard start.endIndex < text.endIndex, text[start.endIndex] != " ",
            let blank = start.lastIndex(of: " "), start[blank...].utf8.count <= 24
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
