internal import Platform

/// Returns ` (did you mean …?)` if one of `known` is similar to `word`, else an empty text.
package func suggestion(for word: String, among known: [String]) -> String {
    nearest(to: word, among: known).map { " (did you mean “\($0)”?)" } ?? ""
}

/// Returns the word of `known` that differs from `word` by a typing mistake or begins with it.
///
/// Two mistakes count from eight letters on: PORT is another word than ROOT.
package func nearest(to word: String, among known: [String]) -> String? {
    let letters = word.drop { $0 == "-" }.count
    guard letters > 1 else { return nil }
    let limit = letters < 3 ? 0 : letters < 8 ? 1 : 2
    let ranked = known.map { (word: $0, distance: editDistance(Array($0), Array(word))) }
    if let nearest = ranked.min(by: { $0.distance < $1.distance }), nearest.distance <= limit {
        return nearest.word
    }
    return known.first { $0.hasPrefix(word) }
}
