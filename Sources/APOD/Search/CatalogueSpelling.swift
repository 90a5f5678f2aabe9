/// How texts and people write an object of a catalogue: Sh2-155 is Sharpless 155 and Sharpless 2-155, too.
///
/// The one table of the index of objects, of `apod-mirror search` and of the gallery.
package struct CatalogueSpelling: Sendable {
    package let catalogue: CatalogueObject.Catalogue
    /// What is before the number, folded as in ``SearchText``, without the blank that may be between letters and digits.
    package let prefix: String
    /// The numbers that are written so.
    package let numbers: ClosedRange<Int>

    private init(
        _ catalogue: CatalogueObject.Catalogue, _ prefix: String, _ numbers: ClosedRange<Int>
    ) {
        (self.catalogue, self.prefix, self.numbers) = (catalogue, prefix, numbers)
    }

    package static let all = [
        Self(.messier, "m", 1...110), Self(.messier, "messier", 1...110),
        Self(.ngc, "ngc", 1...7840), Self(.ic, "ic", 1...5386),
        Self(.caldwell, "caldwell", 1...109),
        Self(.sharpless, "sh2 ", 1...313), Self(.sharpless, "sharpless2 ", 1...313),
        // “Sharpless 2” is the beginning of “Sharpless 2-155”.
        Self(.sharpless, "sharpless", 1...1), Self(.sharpless, "sharpless", 3...313),
        // B2 is a kind of star, or a part of the name of a comet.
        Self(.barnard, "barnard", 1...370), Self(.barnard, "b", 10...370),
        Self(.abell, "abell", 1...4076),
    ]

    /// The words that people type with a blank before the number.
    ///
    /// C is Caldwell for some, but texts mean something else by it.
    package static let words: Set = Set(
        all.flatMap { spelling in
            let word = spelling.prefix.prefix { $0 != " " }
            return [String(word), String(word.prefix { $0.isLetter })]
        }
    ).union(["c"])
}
