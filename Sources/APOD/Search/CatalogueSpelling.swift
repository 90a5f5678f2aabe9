/// A way to write objects of a catalogue: Sh2-155 is also written Sharpless 155 and Sharpless 2-155.
///
/// The index of objects, `apod-mirror search` and the search of the gallery use ``all``.
package struct CatalogueSpelling: Sendable {
    package let catalogue: CatalogueObject.Catalogue
    /// The text before the number, folded as in ``SearchText``, without a blank between letters and digits.
    package let prefix: String
    /// The numbers that are written in this way.
    package let numbers: ClosedRange<Int>

    private init(
        _ catalogue: CatalogueObject.Catalogue, _ prefix: String, _ numbers: ClosedRange<Int>
    ) {
        self.catalogue = catalogue
        self.prefix = prefix
        self.numbers = numbers
    }

    package static let all = [
        Self(.messier, "m", 1...110), Self(.messier, "messier", 1...110),
        Self(.ngc, "ngc", 1...7840), Self(.ic, "ic", 1...5386),
        Self(.caldwell, "caldwell", 1...109),
        Self(.sharpless, "sh2 ", 1...313), Self(.sharpless, "sharpless2 ", 1...313),
        // Not 2, because “Sharpless 2” is the beginning of “Sharpless 2-155”.
        Self(.sharpless, "sharpless", 1...1), Self(.sharpless, "sharpless", 3...313),
        // Not B1 to B9, some of which are kinds of stars or parts of the names of comets.
        Self(.barnard, "barnard", 1...370), Self(.barnard, "b", 10...370),
        Self(.abell, "abell", 1...4076),
    ]

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
