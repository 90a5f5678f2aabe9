/// A way to write objects of a catalogue: Sh2-155 is also written Sharpless 155 and Sharpless 2-155.
///
/// The index of objects, `apod-mirror search` and the search of the gallery use ``all``.
package struct CatalogueSpelling: Sendable {
    package let catalogue: CatalogueObject.Catalogue
    /// The text before the number, folded as in ``SearchText``, without a blank between letters and digits.
    package let prefix: String
    package let numbers: ClosedRange<Int>

    private static let table: [(CatalogueObject.Catalogue, String, ClosedRange<Int>)] = [
        (.messier, "m", 1...110), (.messier, "messier", 1...110),
        (.ngc, "ngc", 1...7840), (.ic, "ic", 1...5386),
        (.caldwell, "caldwell", 1...109),
        (.sharpless, "sh2 ", 1...313), (.sharpless, "sharpless2 ", 1...313),
        // Not 2, because “Sharpless 2” is the beginning of “Sharpless 2-155”.
        (.sharpless, "sharpless", 1...1), (.sharpless, "sharpless", 3...313),
        // Not B1 to B9, some of which are kinds of stars or parts of the names of comets.
        (.barnard, "barnard", 1...370), (.barnard, "b", 10...370),
        (.abell, "abell", 1...4076),
    ]
    package static let all = table.map { Self(catalogue: $0, prefix: $1, numbers: $2) }

    /// The words that people type before a blank and the number: `m`, `messier`, `ngc` and others.
    ///
    /// Some people type “c” for Caldwell, although no text does.
    package static let words: Set = Set(
        all.flatMap { spelling in
            let beforeBlank = spelling.prefix.prefix { $0 != " " }
            return [String(beforeBlank), String(beforeBlank.prefix { $0.isLetter })]
        }
    ).union(["c"])
}
