internal import Platform

/// Finds what a person may have meant by a word that no text has: “nebual” becomes “nebula”.
///
/// It is the word of the texts with the fewest differences, and of several such words the most frequent one. A letter that is
/// missing, wrong, too much, or exchanged with the next one is a difference. Words are letters of ASCII in a row, folded as in
/// ``SearchText``. The search of the gallery has the same rule.
package struct NearestWord {
    private let word: [UInt8]
    private let letters: UInt32
    /// The maximum number of differences; it is lower for short words, because many of these resemble each other.
    private let limit: Int
    /// The words that may be the nearest, and how often the texts have each.
    private var candidates: [[UInt8]: Int] = [:]

    private init(_ word: [UInt8]) {
        self.word = word
        letters = word.reduce(0) { $0 | $1.letterBit }
        limit = word.count < 4 ? 0 : word.count < 6 ? 1 : 2
    }

    /// Returns `query` with the nearest words for those that none of the `texts` has; `nil` if there are none.
    package static func correction(of query: String, in texts: [SearchText]) -> String? {
        var corrected: [UInt8] = []
        var rest = SearchText(query).bytes[...]
        var isCorrected = false
        while let first = rest.first {
            let isWord = first.isASCIILetter
            let part = Array(rest.prefix { $0.isASCIILetter == isWord })
            rest = rest.dropFirst(part.count)
            let isMissing = isWord && !texts.contains { $0.bytes.contains(bytes: part) }
            let nearest = isMissing ? nearest(to: part, in: texts) : nil
            if nearest != nil { isCorrected = true }
            corrected += nearest ?? part
        }
        return isCorrected ? String(decoding: corrected, as: UTF8.self) : nil
    }

    private static func nearest(to word: [UInt8], in texts: [SearchText]) -> [UInt8]? {
        var search = NearestWord(word)
        guard search.limit > 0 else { return nil }
        for text in texts { search.read(text.bytes.span) }
        let near = search.candidates.map { candidate, count in
            (word: candidate, differences: editDistance(word, candidate), count: count)
        }.filter { $0.differences <= search.limit }
        return near.min { one, other in
            if one.differences != other.differences { return one.differences < other.differences }
            if one.count != other.count { return one.count > other.count }
            return one.word.lexicographicallyPrecedes(other.word)
        }?.word
    }

    private mutating func read(_ text: Span<UInt8>) {
        var (start, letters) = (0, UInt32(0))
        for index in 0...text.count {
            if index < text.count, text[index].isASCIILetter {
                letters |= text[index].letterBit
                continue
            }
            // The length and the set of letters exclude most words. A wrong letter changes two bits of the set, any other
            // difference at most one.
            let added = abs(index - start - word.count)
            if added <= limit, (letters ^ self.letters).nonzeroBitCount <= 2 * limit - added {
                candidates[(start..<index).map { text[$0] }, default: 0] += 1
            }
            (start, letters) = (index + 1, 0)
        }
    }
}

extension UInt8 {
    /// A bit for each letter, of which ``NearestWord`` makes sets.
    fileprivate var letterBit: UInt32 { 1 << UInt32(self & 31) }
}
