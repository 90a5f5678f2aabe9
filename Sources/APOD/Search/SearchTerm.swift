internal import Platform

/// A word or phrase that a user searches in a ``SearchText``; it is folded like the text.
///
/// It is found with and without a blank between a letter and a digit: `ngc7000`, `ngc 7000` and `NGC-7000` are one term. An
/// object of a catalogue is found in all of its spellings.
package struct SearchTerm: Sendable {
    /// The runs of letters and of digits of a term, such as `messier` and `31`; between two, a text may have a blank.
    struct Spelling: Sendable {
        /// There is at least one.
        let parts: [[UInt8]]
    }

    /// The spellings, of which a text must contain one: those of `m 31` and `messier 31`, for example; at least one.
    let spellings: [Spelling]
    /// Whether the term has letters and digits, as `m31` has: it must not be found within a longer word or number.
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
        SearchText(word).bytes[...].withoutBlanks
    }

    private init(_ folded: [UInt8]) {
        let typed = Spelling(folded)
        let known = CatalogueObject.spellings(like: Array(typed.parts.joined()))
        spellings = known.isEmpty ? [typed] : known.map { Spelling($0) }
        hasLettersAndDigits =
            folded.contains(where: \.isDigit) && folded.contains(where: \.isLowercaseASCIILetter)
    }
}

extension SearchTerm.Spelling {
    /// Splits between letters and digits: `ngc7000` and `ngc 7000` become `ngc` and `7000`.
    fileprivate init(_ folded: [UInt8]) {
        var parts: [[UInt8]] = []
        for (index, byte) in folded.enumerated() {
            // A folded term neither begins nor ends with a blank.
            if byte == UInt8(ascii: " "), folded[index - 1].isLetterBesideDigit(folded[index + 1]) {
                continue
            }
            if let previous = parts.last?.last, !previous.isLetterBesideDigit(byte) {
                parts[parts.count - 1].append(byte)
            } else {
                parts.append([byte])
            }
        }
        self.parts = parts
    }
}

extension UInt8 {
    /// Whether one of the two bytes is a letter and the other one a digit.
    fileprivate func isLetterBesideDigit(_ other: UInt8) -> Bool {
        (isDigit && other.isLowercaseASCIILetter) || (isLowercaseASCIILetter && other.isDigit)
    }
}
