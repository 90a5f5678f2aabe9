/// The number of typing mistakes between two words: `sinse` and `since` differ by one, and so do `form` and `from`.
///
/// A mistake is a letter that is missing, too much, wrong, or exchanged with the next one. The number suggests what a person
/// meant by a misspelled word. (The algorithm is known as the optimal string alignment distance.)
package func editDistance<Letter: Equatable>(_ word: [Letter], _ other: [Letter]) -> Int {
    // A row has the distances between one beginning of `word` and all beginnings of `other`, by the lengths of the latter. The
    // row `current` is for the letters of `word` so far, `previous` for one letter less, and `beforePrevious` for two.
    var beforePrevious: [Int] = []
    var previous: [Int] = []
    var current = Array(0...other.count)
    for (index, letter) in word.enumerated() {
        (beforePrevious, previous, current) = (previous, current, [index + 1])
        for (otherIndex, otherLetter) in other.enumerated() {
            let whereReplaced = previous[otherIndex] + (letter == otherLetter ? 0 : 1)
            var distance = min(whereReplaced, previous[otherIndex + 1] + 1, current[otherIndex] + 1)
            if index > 0, otherIndex > 0, letter == other[otherIndex - 1],
                word[index - 1] == otherLetter
            {
                distance = min(distance, beforePrevious[otherIndex - 1] + 1)
            }
            current.append(distance)
        }
    }
    return current[other.count]
}
