internal import JSON
// For `_nfd`, which decomposes characters: publicly only Foundation can, which takes megabytes.
@_spi(_Unicode) import Swift

/// A text in which case and accents do not count, so that “angstrom” is found in “Ångström”, for ``SearchText``.
///
/// ``SearchFolding`` says what each character becomes.
struct FoldedText: Sendable {
    /// The folded text in UTF-8.
    private(set) var bytes: [UInt8] = []
    /// The folded forms of the characters outside of ASCII that were read so far, because folding a character takes long.
    private var foldedCharacters: [Unicode.Scalar: [UInt8]] = [:]

    /// Reserves memory for a text of `count` bytes.
    mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

    /// Removes the text, but keeps the memory for another one.
    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Appends the text of a JSON string as another line; any other value is no text.
    mutating func appendLine(_ value: RawJSON) {
        guard value.bytes.first == UInt8(ascii: "\"") else { return }
        bytes.append(UInt8(ascii: "\n"))
        // If a string has no escape such as `\n`, the bytes between its quotes are its text.
        let content = value.bytes.dropFirst().dropLast()
        if content.contains(UInt8(ascii: "\\")) {
            append((value.string ?? "").utf8)
        } else {
            append(content)
        }
    }

    /// Folds and appends `text`, which is in UTF-8.
    mutating func append(_ text: some Collection<UInt8>) {
        var rest = text[...]
        while let end = rest.firstIndex(where: { $0 >= 0x80 }) {
            appendASCII(rest[..<end])
            let next = rest[end...].firstIndex { $0 < 0x80 } ?? rest.endIndex
            for character in String(decoding: rest[end..<next], as: UTF8.self).unicodeScalars {
                append(character)
            }
            rest = rest[next...]
        }
        appendASCII(rest)
    }

    /// Appends ASCII, with one blank for white space in a row.
    private mutating func appendASCII(_ text: some Collection<UInt8>) {
        let blank = UInt8(ascii: " ")
        let table = SearchFolding.ascii
        let start = bytes.count
        bytes += text
        // The text is folded in place: `end` is behind the characters that stay.
        var end = start
        var isAfterBlank = start > 0 && bytes[start - 1] == blank
        var characters = bytes.mutableSpan
        for index in start..<characters.count {
            let folded = table[Int(characters[index])]
            let isLeftOut = folded == 0 || (folded == blank && isAfterBlank)
            if isLeftOut { continue }
            isAfterBlank = folded == blank
            characters[end] = folded
            end += 1
        }
        bytes.removeLast(bytes.count - end)
    }

    private mutating func append(_ character: Unicode.Scalar) {
        let folded = foldedCharacters[character] ?? Self.folded(character)
        foldedCharacters[character] = folded
        if folded == [UInt8(ascii: " ")], bytes.last == folded[0] { return }
        bytes += folded
    }

    /// Returns a character in lower case, without the accents of its decomposition.
    private static func folded(_ character: Unicode.Scalar) -> [UInt8] {
        let marks: Set<Unicode.GeneralCategory> = [.nonspacingMark, .spacingMark, .enclosingMark]
        var text = ""
        for scalar in String(character).lowercased()._nfd
        where !marks.contains(scalar.properties.generalCategory) {
            let isBlank = scalar.properties.isWhitespace
            text += isBlank ? " " : SearchFolding.table[scalar] ?? String(scalar)
        }
        return Array(text.utf8)
    }
}
