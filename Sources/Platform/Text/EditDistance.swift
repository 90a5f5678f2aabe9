/// The number of typing mistakes between two words: `sinse` and `since` have one, `form` and `from` too.
///
/// A mistake is a letter too much, missing, wrong, or exchanged with the next one (optimal string alignment distance).
package func editDistance<Letter: Equatable>(_ word: [Letter], _ other: [Letter]) -> Int {
    // Distances between beginnings: the index is the length of the beginning of `other`; the last row is for the beginning of
    // `word` so far, and the rows before it are for beginnings that are one and two letters shorter.
    var rows = Array(repeating: Array(0...other.count), count: 3)
    for (index, letter) in word.enumerated() {
        rows = [rows[1], rows[2], [index + 1]]
        for (place, otherLetter) in other.enumerated() {
            var least = min(
                rows[1][place] + (letter == otherLetter ? 0 : 1), rows[1][place + 1] + 1,
                rows[2][place] + 1)
            if index > 0, place > 0, letter == other[place - 1], word[index - 1] == otherLetter {
                least = min(least, rows[0][place - 1] + 1)
            }
            rows[2].append(least)
        }
    }
    return rows[2][other.count]
}
