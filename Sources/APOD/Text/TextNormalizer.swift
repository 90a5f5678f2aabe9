internal import Platform

/// Normalizes the texts of NASA's feeds: white space, invisible characters, and blanks before punctuation.
enum TextNormalizer {
    /// Returns `text` in one line: white space folded, control characters removed, trimmed.
    static func line(_ text: String) -> String {
        folded(text, paragraphs: false)
    }

    /// Returns `text` with one line for each paragraph and a blank line between paragraphs, without stray blanks.
    ///
    /// Two line feeds, with nothing but white space between them, end a paragraph.
    static func paragraphs(_ text: String) -> String {
        removingStraySpaces(folded(text, paragraphs: true))
    }

    static func isBlank(_ text: String) -> Bool { !text.unicodeScalars.contains(where: isVisible) }

    /// Whether ``line(_:)`` keeps `scalar` as it is.
    static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        !isWhite(scalar) && !isInvisible(scalar)
    }

    private static func folded(_ text: String, paragraphs: Bool) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var isGap = false
        var newlines = 0
        for scalar in text.unicodeScalars {
            if isWhite(scalar) {
                isGap = true
                if scalar == "\n" { newlines += 1 }
            } else if !isInvisible(scalar) {
                if isGap, !bytes.isEmpty {
                    bytes += (paragraphs && newlines > 1 ? "\n\n" : " ").utf8
                }
                isGap = false
                newlines = 0
                bytes += scalar.utf8
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns `text`, a normalized one, without the ``strayBlanks(in:)``.
    static func removingStraySpaces(_ text: String) -> String {
        var bytes = Array(text.utf8)
        let blanks = strayBlanks(in: bytes)
        guard !blanks.isEmpty else { return text }
        for blank in blanks.reversed() where !bytes[blank].contains(UInt8(ascii: "\n")) {
            bytes.removeSubrange(blank)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The white space of ASCII in `bytes` that NASA's texts have beside links, and that belongs to no text: before punctuation,
    /// a closing bracket and `'s`, and after an opening bracket.
    ///
    /// The blank before an ellipsis, and before a word such as `.5` or `:-)`, is none of these.
    static func strayBlanks(in bytes: [UInt8]) -> [Range<Int>] {
        var stray: [Range<Int>] = []
        var position = 0
        while let start = bytes[position...].firstIndex(where: isBlank) {
            let end = bytes[start...].firstIndex { !isBlank($0) } ?? bytes.endIndex
            position = end
            let (before, after) = (bytes[..<start].suffix(2), bytes[end...].prefix(8))
            let isStray =
                opensBracket(before)
                || endsWord(before.last) && (endsClause(after) || beginsGenitive(after))
                || closesBracket(after.first, after: before.last)
            if isStray, !after.isEmpty { stray.append(start..<end) }
        }
        return stray
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

    /// Whether `bytes` end with an opening bracket, which is none of a smiley such as `:(`.
    private static func opensBracket(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let last = bytes.last, "([".utf8.contains(last) else { return false }
        return bytes.count == 1 || !":;-".utf8.contains(bytes[bytes.startIndex])
    }

    /// Whether `byte` is a closing bracket, which is none of a smiley such as `: )`.
    private static func closesBracket(_ byte: UInt8?, after before: UInt8?) -> Bool {
        guard let byte, let before else { return false }
        return ")]".utf8.contains(byte) && !":;-".utf8.contains(before)
    }

    /// Whether `bytes` begin with the end of a genitive, as `'s` in "Saturn 's moon"; those of "the 's-process'" do not.
    private static func beginsGenitive(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let apostrophe = ["'s", "’s"].first(where: { bytes.starts(with: $0.utf8) }) else {
            return false
        }
        let rest = String(decoding: bytes.dropFirst(apostrophe.utf8.count), as: UTF8.self)
        return rest.first.map { !$0.isWordCharacter && !"'’-‑".contains($0) } ?? true
    }

    /// Returns `text` without white space at its ends; in the middle, it stays.
    static func trimmed(_ text: some StringProtocol) -> String {
        let start = text.drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }

    /// Whether a word or a quotation may end with `byte`, also in a character outside of ASCII.
    private static func endsWord(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return byte.lowercased.isWord || ")]\"'".utf8.contains(byte)
    }

    /// Whether `bytes` begin with punctuation that ends a clause; a smiley such as `:)` or `;)` does not.
    private static func endsClause(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, ".,;:!?".utf8.contains(first) else { return false }
        guard let next = bytes.dropFirst().first else { return true }
        if ")]".utf8.contains(next) { return !":;".utf8.contains(first) }
        // Quotation marks outside of ASCII begin with 0xE2, and dashes do.
        return isBlank(next) || "\"'".utf8.contains(next) || next == 0xE2
            || "!?".utf8.contains(first) && "!?".utf8.contains(next)
    }

    /// Whether the scalar has the Unicode property White_Space; Unicode.Scalar.Properties is slower.
    private static func isWhite(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20, 0x09...0x0D, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F,
            0x205F, 0x3000:
            true
        default: false
        }
    }

    /// Whether it is a control character, has no width, or changes the direction of text, on terminals too.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200B, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF,
            0xFFFE, 0xFFFF:
            true
        default: false
        }
    }
}

extension String {
    /// The text with the characters of Windows-1252 for U+0080 to U+009F, which HTML defines references such as
    /// `&#146;` as; the five that it lacks are removed.
    var withWindowsCharacters: String {
        // In UTF-8, these characters begin with 0xC2.
        guard utf8.contains(0xC2) else { return self }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            guard 0x80...0x9F ~= scalar.value else {
                text.append(scalar)
                continue
            }
            let character = Self.windowsCharacters[Int(scalar.value) - 0x80]
            if character != "\u{FFFD}" { text.append(character) }
        }
        return String(text)
    }

    /// By their codes from 0x80 on.
    private static let windowsCharacters = Array(
        "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ".unicodeScalars)

    /// The letters and digits of ASCII, in lower case, for a comparison: NASA's move of 2026 changed the case and the
    /// punctuation of many texts, but not these.
    package var asciiLetters: [UInt8] {
        utf8.map(\.lowercased).filter(\.isASCIIWord)
    }
}
