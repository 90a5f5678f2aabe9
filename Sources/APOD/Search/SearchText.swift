package import JSON
internal import Platform
// For `_nfd`, which decomposes characters: publicly only Foundation can, which takes megabytes.
@_spi(_Unicode) import Swift

/// A text folded for search, without case and accents: “angstrom” finds “Ångström”.
///
/// White space in a row is one blank. The texts of many days may share one, so that memory is reserved once;
/// ``contains(_:)`` looks in the last of them.
package struct SearchText: Sendable {
    /// The folded texts in UTF-8.
    private(set) var bytes: [UInt8] = []
    /// Where the last text begins.
    private var start = 0
    /// The folded forms of all characters outside ASCII so far: folding one takes long.
    private var folded: [Unicode.Scalar: [UInt8]] = [:]

    /// No text, and memory for so many bytes.
    package init(reserving capacity: Int) { bytes.reserveCapacity(capacity) }

    package init(_ text: String) { appendFolded(text.utf8) }

    /// Removes all texts; keeps the memory for others.
    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Begins another text, that of a JSON string; empty if there is none.
    package mutating func begin(with value: RawJSON?) {
        start = bytes.count
        append(value)
    }

    /// Appends the text of a JSON string as another line: no word is found across two texts.
    package mutating func append(_ value: RawJSON?) {
        guard let value, value.bytes.first == UInt8(ascii: "\"") else { return }
        bytes.append(UInt8(ascii: "\n"))
        // Most strings have no escape: their bytes are the text.
        let content = value.bytes.dropFirst().dropLast()
        if content.contains(UInt8(ascii: "\\")) {
            appendFolded((value.string ?? "").utf8)
        } else {
            appendFolded(content)
        }
    }

    /// Whether the last text contains `term` in one of its spellings.
    ///
    /// One that ends in a digit does not go on in another, and one of letters and digits begins neither within a word nor
    /// within a number: M1 is neither in M13 nor in “from 1”, and 7P not in 67P.
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

    /// The end of `parts`, each of which may follow a blank; `nil` if they are not there.
    private func end(of parts: ArraySlice<[UInt8]>, from place: Int) -> Int? {
        var place = place
        for part in parts {
            if place < bytes.count, bytes[place] == UInt8(ascii: " ") { place += 1 }
            guard bytes[place...].starts(with: part) else { return nil }
            place += part.count
        }
        return place
    }

    private func isWhole(_ term: SearchTerm, at range: Range<Int>) -> Bool {
        func isWithin(_ kind: (UInt8) -> Bool, at place: Int) -> Bool {
            start < place && place < bytes.count && kind(bytes[place - 1]) && kind(bytes[place])
        }
        if isWithin(\.isDigit, at: range.upperBound) { return false }
        return !term.isMixed
            || !isWithin(\.isASCIILetter, at: range.lowerBound)
                && !isWithin(\.isDigit, at: range.lowerBound)
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

    /// Appends folded ASCII; of white space in a row, one blank.
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
    /// Whether it is an accent or another mark on the character before.
    fileprivate var isMark: Bool {
        [.nonspacingMark, .spacingMark, .enclosingMark].contains(generalCategory)
    }
}
