internal import Platform

/// Suggests another spelling for a search that found nothing: “did you mean andromeda galaxy”, for “Andromida galaxy”.
///
/// A word is a sequence of the letters a to z, because ``SearchText`` has neither capitals nor accents. A word is wrong if no
/// text contains it. It is replaced by the word of the texts with the fewest differences, which `editDistance` counts, and
/// among several such words by the most frequent one. The search of the gallery has the same rule.
package struct NearestWord {
    /// A word of the texts that the user may have meant.
    private struct Candidate {
        let word: [UInt8]
        /// The number of letters that the user would have typed wrongly, left out or added.
        let mistakes: Int
        let frequency: Int

        func isBetter(than other: Candidate) -> Bool {
            if mistakes != other.mistakes { return mistakes < other.mistakes }
            if frequency != other.frequency { return frequency > other.frequency }
            return word.lexicographicallyPrecedes(other.word)
        }
    }

    private let wrongWord: [UInt8]
    private let wrongLetters: LetterSet
    private let maximumMistakes: Int
    /// The words of the texts that may be near the wrong word, with the number of their occurrences.
    private var frequencies: [[UInt8]: Int] = [:]

    private init(to wrongWord: [UInt8]) {
        self.wrongWord = wrongWord
        var letters = LetterSet()
        for letter in wrongWord { letters.insert(letter) }
        wrongLetters = letters
        // Short words are near too many others: “sun” is one mistake away from “run”, “sum” and “son”.
        switch wrongWord.count {
        case ..<4: maximumMistakes = 0
        case ..<6: maximumMistakes = 1
        default: maximumMistakes = 2
        }
    }

    /// Returns `query` with each wrong word replaced by a similar word of `texts`; `nil` if no word can be replaced.
    package static func correction(of query: String, in texts: [SearchText]) -> String? {
        var corrected: [UInt8] = []
        var isCorrected = false
        var rest = SearchText(query).bytes[...]
        while let first = rest.first {
            // The query is a sequence of words and of what is between them: "m", " 31 ", "andromida".
            let isWord = first.isLowercaseASCIILetter
            let part = Array(rest.prefix { $0.isLowercaseASCIILetter == isWord })
            rest = rest.dropFirst(part.count)
            if isWord, let similarWord = replacement(for: part, in: texts) {
                corrected += similarWord
                isCorrected = true
            } else {
                corrected += part
            }
        }
        return isCorrected ? String(decoding: corrected, as: UTF8.self) : nil
    }

    /// The best word of `texts` in place of `word`; `nil` if they contain `word`, or none that is similar.
    private static func replacement(for word: [UInt8], in texts: [SearchText]) -> [UInt8]? {
        if texts.contains(where: { $0.bytes.contains(bytes: word) }) { return nil }
        var nearestWord = NearestWord(to: word)
        guard nearestWord.maximumMistakes > 0 else { return nil }
        for text in texts { nearestWord.countWords(of: text.bytes.span) }
        return nearestWord.best?.word
    }

    /// The best of the counted words; `nil` if none is near enough.
    private var best: Candidate? {
        let candidates = frequencies.map { word, frequency in
            Candidate(
                word: word, mistakes: editDistance(wrongWord, word), frequency: frequency)
        }
        return candidates.filter { $0.mistakes <= maximumMistakes }
            .min { $0.isBetter(than: $1) }
    }

    /// Counts the words of `text` that may be near the wrong word.
    private mutating func countWords(of text: Span<UInt8>) {
        var start = 0
        var letters = LetterSet()
        for index in 0...text.count {
            if index < text.count, text[index].isLowercaseASCIILetter {
                letters.insert(text[index])
                continue
            }
            // A word ends here; an empty one, between two other characters, is too short to be near.
            if mayBeNear(letters, count: index - start) {
                let word = (start..<index).map { text[$0] }
                frequencies[word, default: 0] += 1
            }
            start = index + 1
            letters = LetterSet()
        }
    }

    /// Whether a word with these `letters`, of which some may occur twice, can have few enough mistakes.
    ///
    /// This quick test rules out most words of a text, whose distance is then not computed. If two words differ in length,
    /// each added or missing letter is a mistake, and changes the set of letters by at most one. Each other mistake changes
    /// the set by at most two: one letter is missing, and another one is new.
    private func mayBeNear(_ letters: LetterSet, count: Int) -> Bool {
        let addedOrMissing = abs(count - wrongWord.count)
        guard addedOrMissing <= maximumMistakes else { return false }
        let otherMistakes = maximumMistakes - addedOrMissing
        return letters.differences(from: wrongLetters) <= addedOrMissing + 2 * otherMistakes
    }
}

/// The set of the letters in a word, with a bit for each letter: “bad” and “dab” have the same set.
private struct LetterSet {
    private var bits: UInt32 = 0

    /// Inserts a letter from a to z, in ASCII.
    mutating func insert(_ letter: UInt8) { bits |= 1 << UInt32(letter & 31) }

    /// The number of letters that are in one of the sets only.
    func differences(from other: LetterSet) -> Int { (bits ^ other.bits).nonzeroBitCount }
}
