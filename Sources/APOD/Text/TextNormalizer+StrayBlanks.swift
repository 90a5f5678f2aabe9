/// Removes the stray blanks that NASA's texts have beside links, as in "the Moon , which", "( see", "here )" and "Saturn 's".
///
/// A blank before an ellipsis, a word such as `.5` or a smiley such as `:-)` is not stray. A stray blank may consist of several
/// white space characters.
extension TextNormalizer {
    /// The first byte of typographic apostrophes, quotation marks and dashes in UTF-8, and of other characters.
    private static let typographicByte: UInt8 = 0xE2

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

    /// Where `bytes` have stray blanks, from first to last.
    static func strayBlanks(in bytes: [UInt8]) -> [Range<Int>] {
        var stray: [Range<Int>] = []
        var position = 0
        while let start = bytes[position...].firstIndex(where: isWhiteSpace) {
            let end = bytes[start...].firstIndex { !isWhiteSpace($0) } ?? bytes.endIndex
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
        case _ where ".,;:!?".utf8.contains(next): mayEndWord(last) && beginsWithEndOfClause(after)
        case UInt8(ascii: "'"), typographicByte: mayEndWord(last) && beginsWithGenitive(after)
        // The blank in a smiley such as `: )` stays.
        case UInt8(ascii: ")"), UInt8(ascii: "]"): !":;-".utf8.contains(last)
        default: false
        }
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

    /// Whether `bytes` end with an opening bracket, but not with a smiley such as `:(`.
    private static func endsWithOpeningBracket(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let last = bytes.last, "([".utf8.contains(last) else { return false }
        return bytes.count == 1 || !":;-".utf8.contains(bytes[bytes.startIndex])
    }

    /// Whether `bytes` begin with `'s` as in "Saturn 's moon", but not as in "the 's-process'".
    private static func beginsWithGenitive(_ bytes: ArraySlice<UInt8>) -> Bool {
        let ending = ["'s", "’s"].first { bytes.starts(with: $0.utf8) }
        guard let ending else { return false }
        let rest = String(decoding: bytes.dropFirst(ending.utf8.count), as: UTF8.self)
        guard let next = rest.first else { return true }
        return !next.isWordCharacter && !"'’-‑".contains(next)
    }

    /// Whether a word or a quotation may end with `byte`, which may be part of a character outside of ASCII.
    private static func mayEndWord(_ byte: UInt8) -> Bool {
        byte.lowercased.isPartOfWord || ")]\"'".utf8.contains(byte)
    }

    /// Whether the punctuation mark at the start of `bytes` ends a clause; that of a smiley such as `:)` or `;)` does not.
    private static func beginsWithEndOfClause(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, let next = bytes.dropFirst().first else { return true }
        if ")]".utf8.contains(next) { return !":;".utf8.contains(first) }
        let isRepeatedMark = "!?".utf8.contains(first) && "!?".utf8.contains(next)
        return isRepeatedMark || isWhiteSpace(next) || "\"'".utf8.contains(next)
            || next == typographicByte
    }
}

extension [HTMLNode] {
    /// The same nodes without stray blanks.
    ///
    /// A blank and the punctuation after it may be in different nodes; therefore all texts of a line are searched together.
    var withoutStrayBlanks: [HTMLNode] {
        var nodes = self
        for line in indices.split(whereSeparator: { self[$0].breaksLine }) {
            nodes.removeStrayBlanks(in: line)
        }
        return nodes
    }

    /// Removes the stray blanks of the line with the nodes at `indices`.
    private mutating func removeStrayBlanks(in indices: Range<Int>) {
        let textIndices = indices.filter { if case .text = self[$0] { true } else { false } }
        let line = textIndices.flatMap { Array<UInt8>(self[$0].plainText.utf8) }
        let blanks = TextNormalizer.strayBlanks(in: line)
        guard !blanks.isEmpty else { return }
        var start = 0
        for index in textIndices {
            let end = start + self[index].plainText.utf8.count
            var text = line[start..<end]
            for blank in blanks.reversed() { text.removeSubrange(blank.clamped(to: start..<end)) }
            self[index] = .text(String(decoding: text, as: UTF8.self))
            start = end
        }
    }
}
