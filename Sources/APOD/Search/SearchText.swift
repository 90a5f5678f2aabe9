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
        term.spellings.contains { parts in
            var position = startOfLastText
            while let first = bytes.range(of: parts[0], from: position) {
                if let end = end(of: parts.dropFirst(), from: first.upperBound),
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
        var end = start
        var isAfterBlank = start > 0 && bytes[start - 1] == blank
        var characters = bytes.mutableSpan
        for index in start..<characters.count {
            let folded = table[Int(characters[index])]
            if folded == 0 || (folded == blank && isAfterBlank) { continue }
            isAfterBlank = folded == blank
            characters[end] = folded
            end += 1
        }
        bytes.removeLast(bytes.count - end)
    }

    /// Appends a character in lower case, without the accents of its decomposition.
    private mutating func appendFolded(_ scalar: Unicode.Scalar) {
        let result: [UInt8]
        if let known = foldedCharacters[scalar] {
            result = known
        } else {
            var text = ""
            let marks: Set<Unicode.GeneralCategory> = [
                .nonspacingMark, .spacingMark, .enclosingMark,
            ]
            for scalar in String(scalar).lowercased()._nfd
            where !marks.contains(scalar.properties.generalCategory) {
                text +=
                    scalar.properties.isWhitespace
                    ? " " : SearchFolding.table[scalar] ?? String(scalar)
            }
            result = Array(text.utf8)
            foldedCharacters[scalar] = result
        }
        if result == [UInt8(ascii: " ")], bytes.last == result[0] { return }
        bytes += result
    }
}

/// A word or phrase that a user searches in a ``SearchText``; it is folded like the text.
///
/// It is found with and without a blank between a letter and a digit: `ngc7000`, `ngc 7000` and `NGC-7000` are one term. An
/// object of a catalogue is found in all of its spellings.
package struct SearchTerm: Sendable {
    /// The spellings, of which a text must contain one: `m` `31` and `messier` `31`, for example.
    ///
    /// Each spelling consists of parts, between which the text may have a blank. There is at least one spelling.
    let spellings: [[[UInt8]]]
    let hasLettersAndDigits: Bool

    /// The terms in the `words` that a user typed, without words that are empty when folded, such as an apostrophe.
    ///
    /// The name of a catalogue and the number after it are one term: nobody who types `m 1` wants all days with an m and a 1.
    package static func all(_ words: [String]) -> [SearchTerm] {
        var terms: [[UInt8]] = []
        for word in words {
            let term = folded(word)
            guard let first = term.first else { continue }
            if let last = terms.last, first.isDigit,
                CatalogueSpelling.words.contains(String(decoding: last, as: UTF8.self))
            {
                terms[terms.count - 1] += " ".utf8 + term
            } else {
                terms.append(Array(term))
            }
        }
        return terms.map { SearchTerm($0) }
    }

    /// Returns the folded `word` without blanks at its ends.
    private static func folded(_ word: String) -> ArraySlice<UInt8> {
        let blank = UInt8(ascii: " ")
        var term = SearchText(word).bytes[...]
        while term.first == blank { term.removeFirst() }
        while term.last == blank { term.removeLast() }
        return term
    }

    private init(_ folded: [UInt8]) {
        let parts = Self.parts(of: folded)
        let spellings = CatalogueObject.spellings(like: Array(parts.joined()))
        self.spellings = spellings.isEmpty ? [parts] : spellings.map(Self.parts)
        hasLettersAndDigits =
            folded.contains(where: \.isDigit) && folded.contains(where: \.isLowercaseASCIILetter)
    }

    /// Splits between letters and digits: `ngc7000` and `ngc 7000` become `ngc` and `7000`.
    private static func parts(of folded: [UInt8]) -> [[UInt8]] {
        var parts: [[UInt8]] = [[]]
        var previous: UInt8 = 0
        for (index, byte) in folded.enumerated() {
            // A folded term neither begins nor ends with a blank.
            let isGap =
                byte == UInt8(ascii: " ")
                && previous.isLetterBesideDigit(folded[index + 1])
            if isGap || previous.isLetterBesideDigit(byte) { parts.append([]) }
            if !isGap { parts[parts.count - 1].append(byte) }
            previous = byte
        }
        return parts
    }
}

extension UInt8 {
    /// Whether one of the two bytes is a letter and the other one a digit.
    fileprivate func isLetterBesideDigit(_ other: UInt8) -> Bool {
        isDigit && other.isLowercaseASCIILetter || isLowercaseASCIILetter && other.isDigit
    }
}
