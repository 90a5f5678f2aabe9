internal import Platform

/// Returns ` (did you mean “--since”?)` for “--sinse”; an empty text if no word of `known` is similar to `word`.
package func suggestion(for word: String, among known: [String]) -> String {
    nearestWord(to: word, among: known).map { " (did you mean “\($0)”?)" } ?? ""
}

/// Returns the word of `known` that differs from `word` only by typing mistakes, or that begins with `word`.
///
/// A word of eight letters or more may have two mistakes. In shorter words, two would be too many: PORT is not ROOT.
func nearestWord(to word: String, among known: [String]) -> String? {
    let maximumMistakes: Int
    switch word.drop(while: { $0 == "-" }).count {
    case ...1: return nil
    case 2: maximumMistakes = 0
    case 3...7: maximumMistakes = 1
    default: maximumMistakes = 2
    }
    let ranked = known.map { (word: $0, mistakes: editDistance(Array($0), Array(word))) }
    if let nearest = ranked.min(by: { $0.mistakes < $1.mistakes }),
        nearest.mistakes <= maximumMistakes
    {
        return nearest.word
    }
    return known.first { $0.hasPrefix(word) }
}
