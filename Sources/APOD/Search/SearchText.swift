package import JSON
internal import Platform
// For `_nfd`, which decomposes characters: publicly only Foundation can, which takes megabytes.
@_spi(_Unicode) import Swift

/// The texts in which `apod-mirror search` searches, without case and accents: “angstrom” finds “Ångström”.
///
/// A text is folded: ``SearchFolding`` says what each character becomes. A value has the texts of many days one after the
/// other, so that memory is reserved once. ``contains(_:)`` searches only in the last text.
package struct SearchText: Sendable {
    /// The folded texts in UTF-8.
    private(set) var bytes: [UInt8] = []
    /// Where the last text begins in ``bytes``.
    private var startOfLastText = 0
    /// The folded forms of the characters outside of ASCII that were read so far, because folding a character takes long.
    private var foldedCharacters: [Unicode.Scalar: [UInt8]] = [:]

    /// Creates a value without text, and with memory for `capacity` bytes.
    package init(reserving capacity: Int) { bytes.reserveCapacity(capacity) }

    package init(_ text: String) { appendFolded(text.utf8) }

    /// Removes all texts, but keeps the memory for others.
    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Begins another text, whose first line is that of a JSON string; without a string, the text is empty.
    package mutating func begin(with value: RawJSON?) {
        startOfLastText = bytes.count
        append(value)
    }

    /// Appends the text of a JSON string to the last text, as another line: no phrase is found across two lines.
    package mutating func append(_ value: RawJSON?) {
        guard let value, value.bytes.first == UInt8(ascii: "\"") else { return }
        bytes.append(UInt8(ascii: "\n"))
        // If a string has no escape such as `\n`, the bytes between its quotes are its text.
        let content = value.bytes.dropFirst().dropLast()
        if content.contains(UInt8(ascii: "\\")) {
            appendFolded((value.string ?? "").utf8)
        } else {
            appendFolded(content)
        }
    }

    /// Whether the last text contains `term` in one of its spellings.
    ///
    /// M1 is not found in M13 and not in “from 1”, and 7P is not found in 67P.
    package func contains(_ term: SearchTerm) -> Bool {
        term.spellings.contains { spelling in
            var position = startOfLastText
            while let first = bytes.range(of: spelling.parts[0], from: position) {
                if let end = end(of: spelling.parts.dropFirst(), from: first.upperBound),
                    isWhole(term, at: first.lowerBound..<end)
                {
                    return true
                }
                position = first.lowerBound + 1
            }
            return false
        }
    }

    /// Where `parts` end if they begin at `position`, perhaps with a blank before each; `nil` if they are not there.
    private func end(of parts: ArraySlice<[UInt8]>, from position: Int) -> Int? {
        var position = position
        for part in parts {
            if position < bytes.count, bytes[position] == UInt8(ascii: " ") { position += 1 }
            guard bytes[position...].starts(with: part) else { return nil }
            position += part.count
        }
        return position
    }

    /// Whether `term`, found at `range`, is not a part of a longer number or name.
    ///
    /// A word such as “star” is also found in “starry” and “superstar”, but a number must end with the term. If the term has
    /// letters and digits, a word or number must begin with it.
    private func isWhole(_ term: SearchTerm, at range: Range<Int>) -> Bool {
        if isWithin(\.isDigit, at: range.upperBound) { return false }
        guard term.hasLettersAndDigits else { return true }
        let start = range.lowerBound
        return !isWithin(\.isLowercaseASCIILetter, at: start) && !isWithin(\.isDigit, at: start)
    }

    /// Whether the bytes before and after `position` are both of this kind: both digits, so that it is within a number.
    private func isWithin(_ isKind: (UInt8) -> Bool, at position: Int) -> Bool {
        startOfLastText < position && position < bytes.count && isKind(bytes[position - 1])
            && isKind(bytes[position])
    }

    private mutating func appendFolded(_ text: some Collection<UInt8>) {
        var rest = text[...]
        while let end = rest.firstIndex(where: { $0 >= 0x80 }) {
            appendASCII(rest[..<end])
            let next = rest[end...].firstIndex { $0 < 0x80 } ?? rest.endIndex
            for scalar in String(decoding: rest[end..<next], as: UTF8.self).unicodeScalars {
                appendFolded(scalar)
            }
            rest = rest[next...]
        }
        appendASCII(rest)
    }

    /// Appends folded ASCII, with one blank for white space in a row.
    private mutating func appendASCII(_ text: some Collection<UInt8>) {
        let start = bytes.count
        bytes += text
        let (blank, table) = (UInt8(ascii: " "), SearchFolding.ascii)
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

    private mutating func appendFolded(_ character: Unicode.Scalar) {
        let folded: [UInt8]
        if let known = foldedCharacters[character] {
            folded = known
        } else {
            folded = Self.folded(character)
            foldedCharacters[character] = folded
        }
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
