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
    let nearest = known.min { distance($0, word) < distance($1, word) }
    let limit = letters < 3 ? 0 : letters < 8 ? 1 : 2
    if let nearest, distance(nearest, word) <= limit { return nearest }
    return known.first { $0.hasPrefix(word) }
}

/// The Levenshtein distance of two words, in which two swapped letters are one mistake.
private func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
    var rows = [Array(0...right.count)]
    for i in left.indices {
        var row = [i + 1]
        for j in right.indices {
            let other = left[i] == right[j] ? 0 : 1
            var cost = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + other)
            if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                cost = min(cost, rows[i - 1][j - 1] + 1)
            }
            row.append(cost)
        }
        rows.append(row)
    }
    return rows[left.count][right.count]
}
