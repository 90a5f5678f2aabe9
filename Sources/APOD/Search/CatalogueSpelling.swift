/// A way to write objects of a catalogue: Sh2-155 is also written Sharpless 155 and Sharpless 2-155.
///
/// The index of objects, `apod-mirror search` and the search of the gallery use ``all``.
package struct CatalogueSpelling: Sendable {
    package let catalogue: CatalogueObject.Catalogue
    /// The text before the number, folded as in ``FoldedText``, without a blank between letters and digits.
    package let prefix: String
    package let numbers: ClosedRange<Int>

    private typealias Row = (
        catalogue: CatalogueObject.Catalogue, prefix: String, numbers: ClosedRange<Int>
    )
    private static let table: [Row] = [
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
    package static let all = table.map {
        Self(catalogue: $0.catalogue, prefix: $0.prefix, numbers: $0.numbers)
    }

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

extension CatalogueObject {
    /// All spellings of the object that `spelling` names: `m31` and `messier31` for `m31`; empty if it names no object.
    static func spellings(like spelling: [UInt8]) -> [[UInt8]] {
        guard let (object, rest) = CatalogueObject.atStart(of: spelling[...]), rest.isEmpty else {
            return []
        }
        let spellings = CatalogueSpelling.all.filter {
            $0.catalogue == object.catalogue && $0.numbers.contains(object.numberOrYear)
        }
        return spellings.map { Array("\($0.prefix)\(object.numberOrYear)".utf8) }
    }

    /// Returns the object that `text` begins with, in one of ``CatalogueSpelling/all``, and the rest of the text.
    static func atStart(
        of text: ArraySlice<UInt8>
    ) -> (object: CatalogueObject, rest: ArraySlice<UInt8>)? {
        for spelling in CatalogueSpelling.all where text.starts(with: spelling.prefix.utf8) {
            var rest = text.dropFirst(spelling.prefix.utf8.count)
            guard let number = rest.popNumber(), spelling.numbers.contains(number) else { continue }
            let name = "\(spelling.catalogue.prefix)\(number)"
            let object = CatalogueObject(
                catalogue: spelling.catalogue, numberOrYear: number, name: name)
            return (object, rest)
        }
        return nil
    }
}

extension ArraySlice<UInt8> {
    /// Removes and returns a number of up to four digits at the start; `nil` if there is none, or if it begins with 0.
    mutating func popNumber() -> Int? {
        first == UInt8(ascii: "0") ? nil : popNumber(ofDigits: 1...4)
    }
}
