/// A word or phrase that is searched in a ``SearchText``, folded like it.
///
/// Between a letter and a digit the text may have a blank, whatever the user typed: `ngc7000`, `ngc 7000` and `NGC-7000` are
/// the same. An object of a catalogue is found in all of its spellings. Both cost a term without digits nothing.
package struct SearchTerm: Sendable {
    /// At least one, of which a text must have one; each in parts, between which the text may have a blank.
    let spellings: [[[UInt8]]]
    /// Whether it has letters and digits.
    let isMixed: Bool

    /// The terms that a user typed, without those of which nothing is left, such as an apostrophe.
    ///
    /// The name of a catalogue and the number after it are one: few who type `m 1` want all days with an m and a 1.
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

    /// The term in a text with a blank at neither end.
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

    /// What is in a row: the text may have a blank between two parts.
    private static func parts(of folded: [UInt8]) -> [[UInt8]] {
        var parts: [[UInt8]] = [[]]
        var last: UInt8 = 0
        for (index, byte) in folded.enumerated() {
            // Neither the first nor the last byte is a blank.
            let isGap = byte == UInt8(ascii: " ") && last.isJoint(with: folded[index + 1])
            if isGap || last.isJoint(with: byte) { parts.append([]) }
            if !isGap { parts[parts.count - 1].append(byte) }
            last = byte
        }
        return parts
    }
}

extension UInt8 {
    /// Whether one of the two is a letter and the other a digit.
    fileprivate func isJoint(with other: UInt8) -> Bool {
        isDigit && other.isASCIILetter || isASCIILetter && other.isDigit
    }
}
