/// Normalizes the text of a feed: white space, control characters, punctuation.
enum TextNormalizer {
    /// Returns `text` in one line: white space folded, control characters removed, trimmed.
    static func line(_ text: String) -> String {
        folded(text, paragraphs: false)
    }

    /// Returns `text` with one line for each paragraph and a blank line between paragraphs.
    static func paragraphs(_ text: String) -> String {
        removingStraySpaces(folded(text, paragraphs: true))
    }

    static func isBlank(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy(isWhite)
    }

    /// Whether `scalar` is neither white space nor removed.
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
                if scalar.isASCII {
                    bytes.append(UInt8(scalar.value))
                } else {
                    bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns `text` without the space that the archive has between a link and the punctuation after it.
    ///
    /// The space before an ellipsis and before a word such as `.5` or `:-)` stays.
    static func removingStraySpaces(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            let isStray =
                byte == UInt8(ascii: " ") && endsWord(kept.last)
                && isPunctuation(bytes[(index + 1)...].prefix(2))
            if !isStray { kept.append(byte) }
        }
        return String(decoding: kept, as: UTF8.self)
    }

    static func trimmed(_ text: some StringProtocol) -> String {
        let start = text.drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }

    private static func endsWord(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: return true
        default: return ")]\"'".utf8.contains(byte)
        }
    }

    // The Unicode property White_Space; Unicode.Scalar.Properties is slower.
    private static func isWhite(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20, 0x09...0x0D, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F,
            0x205F, 0x3000:
            true
        default: false
        }
    }

    /// Whether the first byte is punctuation at the end of a word or sentence.
    private static func isPunctuation(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, ".,;:!?".utf8.contains(first) else { return false }
        guard let next = bytes.dropFirst().first else { return true }
        if next == UInt8(ascii: ")") { return first != UInt8(ascii: ":") }
        return " \"'".utf8.contains(next)
    }

    // Control characters, the zero-width space, the byte order mark, and the controls that change the
    // direction of the following text, on terminals too.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200B, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }
}

extension String {
    /// The letters and digits of ASCII, in lower case: what damage to a text does not change.
    package var asciiLetters: [UInt8] {
        utf8.map(\.lowercased).filter { $0 < 0x80 && $0.isWord }
    }
}
