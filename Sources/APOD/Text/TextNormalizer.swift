internal import Platform

/// Normalizes the texts of NASA's feeds: white space and invisible characters.
///
/// All texts of an entry pass here, so that two feeds, and two versions of an entry, differ only if their words do.
enum TextNormalizer {
    /// Returns `text` in one line: white space folded, invisible characters removed, trimmed.
    static func line(_ text: String) -> String {
        folded(text, paragraphEnd: .blank)
    }

    /// Returns `text` with one line for each paragraph and a blank line between paragraphs, without stray blanks.
    ///
    /// Two line feeds, with nothing but white space between them, end a paragraph.
    static func paragraphs(_ text: String) -> String {
        removingStraySpaces(folded(text, paragraphEnd: .blankLine))
    }

    /// Returns `text` without white space at its ends; in the middle, it stays.
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

    // MARK: Folding

    /// What white space with two line feeds becomes; any other white space becomes a blank.
    private enum ParagraphEnd: String {
        case blank = " "
        case blankLine = "\n\n"
    }

    private static func folded(_ text: String, paragraphEnd: ParagraphEnd) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        /// Whether white space was read since the last visible character, and how many line feeds.
        var (hasGap, lineFeeds) = (false, 0)
        for scalar in text.unicodeScalars {
            if isWhiteSpace(scalar) {
                hasGap = true
                if scalar == "\n" { lineFeeds += 1 }
            } else if !isInvisible(scalar) {
                if hasGap, !bytes.isEmpty {
                    bytes += (lineFeeds > 1 ? paragraphEnd.rawValue : " ").utf8
                }
                (hasGap, lineFeeds) = (false, 0)
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

    /// Whether it is a control character, has no width, or changes the direction of text, on terminals too; a few of these
    /// are white space, which counts first.
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
    /// The letters and digits of ASCII, in lower case, for a comparison: NASA's move of 2026 changed the case and the
    /// punctuation of many texts, but not these.
    package var asciiLetters: [UInt8] {
        utf8.map(\.lowercased).filter(\.isASCIIWord)
    }
}
