internal import Platform

/// Normalizes white space and removes invisible characters in the texts of NASA's feeds.
///
/// All texts of an entry are normalized, so that two versions of an entry differ only if their words differ.
enum TextNormalizer {
    /// Returns `text` in one line, with one blank between words: " The\n Moon\u{FEFF} " becomes "The Moon".
    static func line(_ text: String) -> String {
        normalized(text, paragraphEnd: .blank)
    }

    /// Returns `text` with one line for each paragraph and a blank line between paragraphs, without stray blanks.
    ///
    /// "A\nstar .\n \nA moon." becomes "A star.\n\nA moon.".
    static func paragraphs(_ text: String) -> String {
        removingStrayBlanks(normalized(text, paragraphEnd: .blankLine))
    }

    /// Returns `text` without white space at its ends.
    static func trimmed(_ text: some StringProtocol) -> String {
        let start = text.drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }

    /// Returns `text` without any white space.
    static func withoutWhiteSpace(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars where !isWhiteSpace(scalar) { bytes += scalar.utf8 }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether nothing of `text` is visible.
    static func isBlank(_ text: String) -> Bool { !text.unicodeScalars.contains(where: isVisible) }

    /// Whether ``line(_:)`` keeps `scalar` as it is.
    static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        !isWhiteSpace(scalar) && !isInvisible(scalar)
    }

    // MARK: White space

    /// What replaces white space with two line feeds; any other white space is replaced by a blank.
    private enum ParagraphEnd: String {
        case blank = " "
        case blankLine = "\n\n"
    }

    private static func normalized(_ text: String, paragraphEnd: ParagraphEnd) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        /// Whether white space was read since the last visible character.
        var hasGap = false
        /// The number of line feeds in that white space.
        var lineFeeds = 0
        for scalar in text.unicodeScalars {
            if isWhiteSpace(scalar) {
                hasGap = true
                if scalar == "\n" { lineFeeds += 1 }
            } else if !isInvisible(scalar) {
                if hasGap, !bytes.isEmpty {
                    bytes += (lineFeeds > 1 ? paragraphEnd.rawValue : " ").utf8
                }
                hasGap = false
                lineFeeds = 0
                bytes += scalar.utf8
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the scalar has the Unicode property White_Space; Unicode.Scalar.Properties is slower.
    private static func isWhiteSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20, 0x09...0x0D, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F,
            0x205F, 0x3000:
            true
        default: false
        }
    }

    /// Whether the scalar is a control character, has no width, or changes the direction of text, perhaps of a terminal.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200B, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF,
            0xFFFE, 0xFFFF:
            true
        default: false
        }
    }
}

/// Removes the stray blanks that NASA's texts have beside links, as in "the Moon , which", "( see", "here )" and "Saturn 's".
///
/// A blank before an ellipsis, a word such as `.5` or a smiley such as `:-)` is not stray.
extension TextNormalizer {
    /// Returns a normalized text without stray blanks; the blank lines between paragraphs stay.
    static func removingStrayBlanks(_ text: String) -> String {
        var bytes = Array(text.utf8)
        let blanks = strayBlanks(in: bytes)
        guard !blanks.isEmpty else { return text }
        for blank in blanks.reversed() where !bytes[blank].contains(UInt8(ascii: "\n")) {
            bytes.removeSubrange(blank)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Where `bytes` have stray blanks, from first to last; a stray blank may consist of several blanks or line feeds.
    static func strayBlanks(in bytes: [UInt8]) -> [Range<Int>] {
        var stray: [Range<Int>] = []
        var position = 0
        while let start = bytes[position...].firstIndex(where: isBlank) {
            let end = bytes[start...].firstIndex { !isBlank($0) } ?? bytes.endIndex
            position = end
            // No rule needs more than two bytes before the blank and eight after it.
            let isStray = isStrayBlank(
                between: bytes[..<start].suffix(2), and: bytes[end...].prefix(8))
            if isStray { stray.append(start..<end) }
        }
        return stray
    }

    private static func isStrayBlank(
        between before: ArraySlice<UInt8>, and after: ArraySlice<UInt8>
    ) -> Bool {
        guard let next = after.first else { return false }
        if endsWithOpeningBracket(before) { return true }
        guard let last = before.last else { return false }
        return switch next {
        case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"),
            UInt8(ascii: "!"), UInt8(ascii: "?"):
            mayEndWord(last) && beginsWithEndOfClause(after)
        // The typographic apostrophe ’ begins with the byte 0xE2.
        case UInt8(ascii: "'"), 0xE2: mayEndWord(last) && beginsWithGenitive(after)
        // The blank in a smiley such as `: )` stays.
        case UInt8(ascii: ")"), UInt8(ascii: "]"): !":;-".utf8.contains(last)
        default: false
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

    /// Whether `bytes` end with an opening bracket, but not with a smiley such as `:(`.
    private static func endsWithOpeningBracket(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let last = bytes.last, "([".utf8.contains(last) else { return false }
        return bytes.count == 1 || !":;-".utf8.contains(bytes[bytes.startIndex])
    }

    /// Whether `bytes` begin with `'s` as in "Saturn 's moon", but not as in "the 's-process'".
    private static func beginsWithGenitive(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let apostrophe = ["'s", "’s"].first(where: { bytes.starts(with: $0.utf8) }) else {
            return false
        }
        let rest = String(decoding: bytes.dropFirst(apostrophe.utf8.count), as: UTF8.self)
        return rest.first.map { !$0.isWordCharacter && !"'’-‑".contains($0) } ?? true
    }

    /// Whether a word or a quotation may end with `byte`, which may be part of a character outside of ASCII.
    private static func mayEndWord(_ byte: UInt8) -> Bool {
        byte.lowercased.isPartOfWord || ")]\"'".utf8.contains(byte)
    }

    /// Whether the punctuation mark at the start of `bytes` ends a clause; that of a smiley such as `:)` or `;)` does not.
    private static func beginsWithEndOfClause(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, let next = bytes.dropFirst().first else { return true }
        if ")]".utf8.contains(next) { return !":;".utf8.contains(first) }
        // Typographic quotation marks and dashes begin with the byte 0xE2.
        return isBlank(next) || "\"'".utf8.contains(next) || next == 0xE2
            || "!?".utf8.contains(first) && "!?".utf8.contains(next)
    }
}
