package import JSON
internal import Platform
// For `_nfd`, which decomposes characters: publicly only Foundation can, which takes megabytes.
@_spi(_Unicode) import Swift

/// A text folded for search, without case and accents: “angstrom” finds “Ångström”.
///
/// One value holds the texts of many days one after the other, so that memory is reserved once. ``contains(_:)`` searches
/// the last of them. White space in a row is one blank.
package struct SearchText: Sendable {
    /// The folded texts in UTF-8.
    private(set) var bytes: [UInt8] = []
    /// Where the last text begins.
    private var start = 0
    /// The folded forms of the characters outside of ASCII that were read, because folding one takes long.
    private var folded: [Unicode.Scalar: [UInt8]] = [:]

    /// Creates a value without text, and with memory for `capacity` bytes.
    package init(reserving capacity: Int) { bytes.reserveCapacity(capacity) }

    package init(_ text: String) { appendFolded(text.utf8) }

    /// Removes all texts, and keeps the memory for others.
    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Begins another text with that of a JSON string, or an empty one.
    package mutating func begin(with value: RawJSON?) {
        start = bytes.count
        append(value)
    }

    /// Appends the text of a JSON string to the last text, as another line, so that no phrase is found across the two.
    package mutating func append(_ value: RawJSON?) {
        guard let value, value.bytes.first == UInt8(ascii: "\"") else { return }
        bytes.append(UInt8(ascii: "\n"))
        // The bytes of a string without an escape are its text.
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
            var place = start
            while let first = bytes.range(of: parts[0], from: place) {
                if let end = end(of: parts.dropFirst(), from: first.upperBound),
                    isWhole(term, at: first.lowerBound..<end)
                {
                    return true
                }
                place = first.lowerBound + 1
            }
            return false
        }
    }

    /// The end of `parts` at `place`, with an optional blank before each; `nil` if they are not there.
    private func end(of parts: ArraySlice<[UInt8]>, from place: Int) -> Int? {
        var place = place
        for part in parts {
            if place < bytes.count, bytes[place] == UInt8(ascii: " ") { place += 1 }
            guard bytes[place...].starts(with: part) else { return nil }
            place += part.count
        }
        return place
    }

    /// Whether a number does not go on after `range`, and for letters with digits, no word or number goes on before it.
    private func isWhole(_ term: SearchTerm, at range: Range<Int>) -> Bool {
        if goesOn(\.isDigit, at: range.upperBound) { return false }
        guard term.isMixed else { return true }
        let beginning = range.lowerBound
        return !goesOn(\.isASCIILetter, at: beginning) && !goesOn(\.isDigit, at: beginning)
    }

    /// Whether the bytes before and after `place` are of one kind, so that it is within a word or a number.
    private func goesOn(_ isKind: (UInt8) -> Bool, at place: Int) -> Bool {
        start < place && place < bytes.count && isKind(bytes[place - 1]) && isKind(bytes[place])
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
        if let known = folded[scalar] {
            result = known
        } else {
            var text = ""
            for scalar in String(scalar).lowercased()._nfd where !scalar.properties.isMark {
                text +=
                    scalar.properties.isWhitespace
                    ? " " : SearchFolding.table[scalar] ?? String(scalar)
            }
            result = Array(text.utf8)
            folded[scalar] = result
        }
        if result == [UInt8(ascii: " ")], bytes.last == result[0] { return }
        bytes += result
    }
}

extension Unicode.Scalar.Properties {
    /// Whether it is an accent or another mark on the character before it.
    fileprivate var isMark: Bool {
        [.nonspacingMark, .spacingMark, .enclosingMark].contains(generalCategory)
    }
}

/// A word or phrase that is searched in a ``SearchText``, and folded in the same way.
///
/// The text may have a blank between a letter and a digit, whatever the user typed: `ngc7000`, `ngc 7000` and `NGC-7000` are
/// one term. An object of a catalogue is found in all of its spellings.
package struct SearchTerm: Sendable {
    /// At least one spelling, of which a text must have one; each in parts, between which the text may have a blank.
    let spellings: [[[UInt8]]]
    /// Whether it has letters and digits.
    let isMixed: Bool

    /// The terms that a user typed, without those that are empty when folded, such as an apostrophe.
    ///
    /// The name of a catalogue and the number after it are one term, because nobody who types `m 1` wants all days with an m
    /// and a 1.
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
        let spellings = CatalogueObject.spellings(of: Array(parts.joined()))
        self.spellings = spellings.isEmpty ? [parts] : spellings.map(Self.parts)
        isMixed = folded.contains(where: \.isDigit) && folded.contains(where: \.isASCIILetter)
    }

    /// Splits between letters and digits: `ngc7000` and `ngc 7000` become `ngc` and `7000`.
    private static func parts(of folded: [UInt8]) -> [[UInt8]] {
        var parts: [[UInt8]] = [[]]
        var last: UInt8 = 0
        for (index, byte) in folded.enumerated() {
            // A blank is neither the first nor the last byte.
            let isGap = byte == UInt8(ascii: " ") && last.isJoint(with: folded[index + 1])
            if isGap || last.isJoint(with: byte) { parts.append([]) }
            if !isGap { parts[parts.count - 1].append(byte) }
            last = byte
        }
        return parts
    }
}

extension UInt8 {
    /// Whether one byte is a letter and the other one a digit.
    fileprivate func isJoint(with other: UInt8) -> Bool {
        isDigit && other.isASCIILetter || isASCIILetter && other.isDigit
    }
}
