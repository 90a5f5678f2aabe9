package import JSON
internal import Platform

/// The texts in which `apod-mirror search` searches, without case and accents: see ``FoldedText``.
///
/// A value has the texts of many days one after the other, so that memory is reserved once, and ``NearestWord`` can count the
/// words of all days. ``contains(_:)`` searches only in the last text.
package struct SearchText: Sendable {
    private var text = FoldedText()
    /// Where the last text begins in ``bytes``.
    private var startOfLastText = 0

    /// The folded texts in UTF-8.
    var bytes: [UInt8] { text.bytes }

    package init(_ text: String) { self.text.append(text.utf8) }

    // MARK: The texts of records

    /// Creates a value without text, and with memory for `capacity` bytes.
    package init(reserving capacity: Int) { text.reserve(capacity) }

    /// Removes all texts, but keeps the memory for others.
    package mutating func removeAll() { text.removeAll() }

    /// Begins another text, whose first line is that of a JSON string; without a string, the text is empty.
    package mutating func begin(with value: RawJSON?) {
        startOfLastText = bytes.count
        append(value)
    }

    /// Appends the text of a JSON string to the last text, as another line: no phrase is found across two lines.
    package mutating func append(_ value: RawJSON?) {
        if let value { text.appendLine(value) }
    }

    // MARK: Search

    /// Whether the last text contains `term` in one of its spellings.
    ///
    /// M1 is not found in M13 and not in “from 1”, and 7P is not found in 67P.
    package func contains(_ term: SearchTerm) -> Bool {
        term.spellings.contains { spelling in
            var position = startOfLastText
            while let first = bytes.range(of: spelling.parts[0], from: position) {
                let otherParts = spelling.parts.dropFirst()
                if let end = endOfMatch(otherParts, from: first.upperBound),
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
    private func endOfMatch(_ parts: ArraySlice<[UInt8]>, from position: Int) -> Int? {
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
        if isInRun(of: \.isDigit, at: range.upperBound) { return false }
        guard term.hasLettersAndDigits else { return true }
        let start = range.lowerBound
        return !isInRun(of: \.isLowercaseASCIILetter, at: start)
            && !isInRun(of: \.isDigit, at: start)
    }

    /// Whether the bytes before and after `position` are both of this kind: `67|8` is within a run of digits, `67|p` is not.
    private func isInRun(of kind: (UInt8) -> Bool, at position: Int) -> Bool {
        startOfLastText < position && position < bytes.count && kind(bytes[position - 1])
            && kind(bytes[position])
    }
}
