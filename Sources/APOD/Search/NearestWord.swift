internal import Platform

/// Finds the word of many texts that differs least from one that none of them has, as for “did you mean”; of equal ones the
/// most frequent.
///
/// Words are letters of ASCII in a row, folded as in ``SearchText``. A letter too much, missing, wrong, or exchanged with the
/// next one is a difference. The search of the gallery has the same rule.
package struct NearestWord {
    private let word: [UInt8]
    private let letters: UInt32
    /// From how many differences on it is another word; short words resemble each other.
    private let limit: Int
    /// How often the texts have each word that may be the nearest.
    private var candidates: [[UInt8]: Int] = [:]

    private init(_ word: [UInt8]) {
        self.word = word
        letters = word.reduce(0) { $0 | $1.letterBit }
        limit = word.count < 4 ? 0 : word.count < 6 ? 1 : 2
    }

    /// `query` with the nearest word of `texts` in place of each word that none of them has; `nil` if there is none.
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
        let near = search.candidates.map { word, count in
            (word: word, rank: (editDistance(search.word, word), -count))
        }.filter { $0.rank.0 <= search.limit }
        return near.min { one, other in
            one.rank == other.rank
                ? one.word.lexicographicallyPrecedes(other.word) : one.rank < other.rank
        }?.word
    }

    private mutating func read(_ text: Span<UInt8>) {
        var (start, letters) = (0, UInt32(0))
        for index in 0...text.count {
            if index < text.count, text[index].isASCIILetter {
                letters |= text[index].letterBit
                continue
            }
            // Most words are none by their length and letters alone: a wrong letter changes two, any other difference one.
            let added = abs(index - start - word.count)
            if added <= limit, (letters ^ self.letters).nonzeroBitCount <= 2 * limit - added {
                candidates[(start..<index).map { text[$0] }, default: 0] += 1
            }
            (start, letters) = (index + 1, 0)
        }
    }
}

extension UInt8 {
    /// A bit for each letter.
    fileprivate var letterBit: UInt32 { 1 << UInt32(self & 31) }
}
