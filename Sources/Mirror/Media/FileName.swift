package import APOD
// For `_nfc`: FoundationEssentials has no normalization.
@_spi(_Unicode) import Swift

/// The file names of pictures and videos: `2026-11-20 The Crab Nebula.jpg`.
///
/// The rules make a name valid on ext4, exFAT, NTFS and Samba:
/// - its characters are composed (Unicode NFC), and it has at most ``maximumBytes``;
/// - it has none of `/ \ : * ? " < > |`, and no dot or blank at its end;
/// - it has no control or formatting characters, except for the joiner in emoji.
///
/// The date makes it unique, even where case is ignored.
package enum FileName {
    /// The longest name with its extension, in bytes of UTF-8.
    ///
    /// Most file systems allow 255 bytes, and eCryptfs 143. The name of a sidecar is longer than that of its picture.
    package static let maximumBytes = 120

    /// The length of `2026-11-20` at the start of each name.
    package static let dayLength = 10
    /// The length of a SHA-256 in hexadecimal digits.
    static let sha256Length = 64
    /// The bytes for a dot and an extension of up to five letters.
    private static let bytesOfExtension = 6
    /// Where a name must end, a word of more bytes is cut, and a shorter word is left out as a whole.
    private static let longWordBytes = 24

    /// The name without an extension: `2026-11-20 What A 'Comet'-Planet` for the title `What? A "Comet"/Planet`.
    package static func stem(of day: Day, title: String) -> String {
        let words = trimmed(legal(title).split(separator: " ").joined(separator: " "))
        let stem = "\(day) \(words.isEmpty ? "Untitled" : words)"
        let name = trimmed(cut(stem, to: maximumBytes - bytesOfExtension))
        // If the first character has so many combining marks that it does not fit, only the day is left.
        return name == "\(day)" ? "\(day) Untitled" : name
    }

    /// `stem` with a number at its end: `2026-11-20 The Crab Nebula 2`.
    static func numbered(_ stem: String, _ number: Int) -> String {
        let suffix = " \(number)"
        return trimmed(cut(stem, to: maximumBytes - bytesOfExtension - suffix.utf8.count)) + suffix
    }

    /// The day at the start of `name`; `nil` if there is none.
    package static func day(of name: some StringProtocol) -> Day? {
        Day(iso: name.prefix(dayLength))
    }

    /// The day at the start of the bytes of a name, which need not be UTF-8.
    package static func day(of name: [UInt8]) -> Day? { Day(iso: name.prefix(dayLength)) }

    /// The name that the file `name` gets in `previous/` or `damaged/`: `2026-11-20 SHA-256.jpg`.
    ///
    /// A `label` before the hash is the revision of a record, as in `2026-11-20 r1 SHA-256.json`. In `damaged/`, it is a
    /// number that distinguishes files with the same contents.
    package static func archived(
        _ name: String, day: Day, sha256: String, label: String = ""
    ) -> String {
        "\(day) \(label)\(sha256)\(name.splitAtLastDot?.ending ?? "")"
    }

    /// The SHA-256 in a name that ``archived(_:day:sha256:label:)`` made; `nil` for any other name.
    static func hash(inArchived name: String) -> String? {
        let stem = name.splitAtLastDot?.stem ?? name[...]
        let hash = String(stem.suffix(sha256Length))
        let isNamed = day(of: name) != nil && stem.dropLast(sha256Length).last == " "
        return isNamed && hash.isSHA256 ? hash : nil
    }

    // MARK: Characters

    /// `title` without the characters that a file system may refuse, some of them replaced by similar ones.
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
        // The characters are composed last, because an accent may follow another character now.
        return String(scalars)._nfc.reduce(into: "") { $0.unicodeScalars.append($1) }
    }

    /// What stands for `scalar` in a name: a space for white space, nothing (`nil`) for an invisible character, else itself.
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

    /// The start of `text` that fits into so many bytes; half a word is left out unless the word is very long.
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
    /// The part before the last dot, and the rest with the dot, as in `x` and `.jpg`; `nil` without a dot.
    package var splitAtLastDot: (stem: SubSequence, ending: SubSequence)? {
        lastIndex(of: ".").map { (self[..<$0], self[$0...]) }
    }
}
