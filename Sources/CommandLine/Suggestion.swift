/// ` (did you mean …?)` where one of `known` is close to `word`.
package func suggestion(for word: String, among known: [String]) -> String {
    nearest(to: word, among: known).map { " (did you mean “\($0)”?)" } ?? ""
}

/// Which of `known` is meant by `word`, `nil` where none is close.
///
/// Close is what two letters make the same, or what begins with the word.
package func nearest(to word: String, among known: [String]) -> String? {
    let letters = word.drop { $0 == "-" }.count
    guard letters > 1 else { return nil }
    let nearest = known.min { distance($0, word) < distance($1, word) }
    if let nearest, distance(nearest, word) <= min(2, letters - 1) { return nearest }
    return known.first { $0.hasPrefix(word) }
}

/// How many letters must be added, dropped or replaced to make one of the other.
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
