/// Returns ` (did you mean …?)` if one of `known` is similar to `word`, else an empty text.
package func suggestion(for word: String, among known: [String]) -> String {
    nearest(to: word, among: known).map { " (did you mean “\($0)”?)" } ?? ""
}

/// Returns the word of `known` that differs from `word` by at most two letters or begins with it.
package func nearest(to word: String, among known: [String]) -> String? {
    let letters = word.drop { $0 == "-" }.count
    guard letters > 1 else { return nil }
    let nearest = known.min { distance($0, word) < distance($1, word) }
    if let nearest, distance(nearest, word) <= min(2, letters - 1) { return nearest }
    return known.first { $0.hasPrefix(word) }
}

/// The Levenshtein distance of two words.
private func distance(_ left: String, _ right: String) -> Int {
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, b) in right.enumerated() {
            let cost = min(row[j] + 1, row[j + 1] + 1, diagonal + (a == b ? 0 : 1))
            diagonal = row[j + 1]
            row[j + 1] = cost
        }
    }
    return row[right.count]
}
