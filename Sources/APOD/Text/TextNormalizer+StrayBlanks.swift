/// The blanks that NASA's texts have beside links, and that belong to no text, as in "the Moon , which".
///
/// They are before punctuation, before a closing bracket and `'s`, and after an opening bracket. The blank before an
/// ellipsis, and before a word such as `.5` or a smiley such as `:-)`, is none of them.
extension TextNormalizer {
    /// Returns `text`, a normalized one, without stray blanks; the end of a paragraph is none.
    static func removingStraySpaces(_ text: String) -> String {
        var bytes = Array(text.utf8)
        let blanks = strayBlanks(in: bytes)
        guard !blanks.isEmpty else { return text }
        for blank in blanks.reversed() where !bytes[blank].contains(UInt8(ascii: "\n")) {
            bytes.removeSubrange(blank)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The stray blanks in `bytes`, from first to last; each is a run of white space of ASCII.
    static func strayBlanks(in bytes: [UInt8]) -> [Range<Int>] {
        var stray: [Range<Int>] = []
        var position = 0
        while let start = bytes[position...].firstIndex(where: isBlank) {
            let end = bytes[start...].firstIndex { !isBlank($0) } ?? bytes.endIndex
            position = end
            // As many bytes as the rules below look at.
            let (before, after) = (bytes[..<start].suffix(2), bytes[end...].prefix(8))
            if isStrayBlank(after: before, before: after) { stray.append(start..<end) }
        }
        return stray
    }

    private static func isStrayBlank(
        after before: ArraySlice<UInt8>, before after: ArraySlice<UInt8>
    ) -> Bool {
        guard let next = after.first else { return false }
        if endsWithOpeningBracket(before) { return true }
        guard let last = before.last else { return false }
        return switch next {
        case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"),
            UInt8(ascii: "!"), UInt8(ascii: "?"):
            endsWord(last) && beginsWithEndOfClause(after)
        // The typographic apostrophe begins with 0xE2.
        case UInt8(ascii: "'"), 0xE2: endsWord(last) && beginsWithGenitive(after)
        // A blank before the bracket of a smiley such as `: )` stays.
        case UInt8(ascii: ")"), UInt8(ascii: "]"): !":;-".utf8.contains(last)
        default: false
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

    /// Whether `bytes` end with an opening bracket, which is none of a smiley such as `:(`.
    private static func endsWithOpeningBracket(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let last = bytes.last, "([".utf8.contains(last) else { return false }
        return bytes.count == 1 || !":;-".utf8.contains(bytes[bytes.startIndex])
    }

    /// Whether `bytes` begin with the end of a genitive, as `'s` in "Saturn 's moon"; those of "the 's-process'" do not.
    private static func beginsWithGenitive(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let apostrophe = ["'s", "’s"].first(where: { bytes.starts(with: $0.utf8) }) else {
            return false
        }
        let rest = String(decoding: bytes.dropFirst(apostrophe.utf8.count), as: UTF8.self)
        return rest.first.map { !$0.isWordCharacter && !"'’-‑".contains($0) } ?? true
    }

    /// Whether a word or a quotation may end with `byte`, also in a character outside of ASCII.
    private static func endsWord(_ byte: UInt8) -> Bool {
        byte.lowercased.isWord || ")]\"'".utf8.contains(byte)
    }

    /// Whether the punctuation at the start of `bytes` ends a clause; that of a smiley such as `:)` or `;)` does not.
    private static func beginsWithEndOfClause(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, let next = bytes.dropFirst().first else { return true }
        if ")]".utf8.contains(next) { return !":;".utf8.contains(first) }
        // Quotation marks outside of ASCII begin with 0xE2, and dashes do.
        return isBlank(next) || "\"'".utf8.contains(next) || next == 0xE2
            || "!?".utf8.contains(first) && "!?".utf8.contains(next)
    }
}
