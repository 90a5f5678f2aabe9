/// Normalizes white space and removes invisible characters in the texts of NASA's feeds.
///
/// All texts of an entry are normalized, so that two versions of an entry differ only if their words differ.
enum TextNormalizer {
    /// Returns `text` in one line, with one blank between words: " The\n Moon\u{FEFF} " becomes "The Moon".
    static func line(_ text: String) -> String {
        normalized(text, paragraphEnd: " ")
    }

    /// Returns `text` with one line for each paragraph and a blank line between paragraphs, without stray blanks.
    ///
    /// "A\nstar .\n \nA moon." becomes "A star.\n\nA moon.".
    static func paragraphs(_ text: String) -> String {
        removingStrayBlanks(normalized(text, paragraphEnd: "\n\n"))
    }

    /// Returns `text` without white space at its ends.
    static func trimmed(_ text: some StringProtocol) -> String {
        let start = text.drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }

    /// Returns `text` without any white space.
    static func withoutWhiteSpace(_ text: Substring) -> String {
        String(text.unicodeScalars.filter { !isWhiteSpace($0) })
    }

    /// Whether nothing of `text` is visible.
    static func isBlank(_ text: String) -> Bool { !text.unicodeScalars.contains(where: isVisible) }

    /// Whether ``line(_:)`` keeps `scalar` as it is.
    static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        !isWhiteSpace(scalar) && !isInvisible(scalar)
    }

    // MARK: White space

    /// Returns `text` with one blank for white space in a row, but with `paragraphEnd` if it has two line feeds.
    private static func normalized(_ text: String, paragraphEnd: String) -> String {
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
                    bytes += (lineFeeds > 1 ? paragraphEnd : " ").utf8
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

extension String {
    var nonEmpty: String? { isEmpty ? nil : self }
}
