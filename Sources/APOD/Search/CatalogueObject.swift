/// An object of the sky that a text names by its number in a catalogue, such as NGC 7000, or a comet.
///
/// The gallery has an index of all objects. "M 31" and "Messier 31" are one object.
package struct CatalogueObject: Hashable, Comparable, Sendable {
    /// The catalogues, in the order of the index.
    package enum Catalogue: String, CaseIterable, Sendable {
        case messier, ngc, ic, caldwell, sharpless, barnard, abell, comets

        package var title: String {
            switch self {
            case .messier: "Messier"
            case .ngc: "NGC"
            case .ic: "IC"
            case .caldwell: "Caldwell"
            case .sharpless: "Sharpless"
            case .barnard: "Barnard"
            case .abell: "Abell"
            case .comets: "Comets"
            }
        }

        /// The text before the number in the ``CatalogueObject/name`` of an object.
        fileprivate var prefix: String {
            switch self {
            case .messier: "M"
            case .sharpless: "Sh2-"
            case .ngc, .ic, .caldwell, .barnard, .abell: "\(title) "
            case .comets: ""
            }
        }
    }

    package let catalogue: Catalogue
    /// The number in the catalogue; for a comet, its year, as 2023 of C/2023 A3, or its number, as 67 of 67P.
    private let number: Int
    /// The name in the index, such as `NGC 7000`.
    package let name: String

    /// What a person types to find all days that name the object: `NGC7000`.
    package var searchTerm: String { name.replacing(" ", with: "") }

    /// Orders objects by catalogue, then by number.
    package static func < (one: Self, other: Self) -> Bool {
        guard one.catalogue == other.catalogue else {
            return Catalogue.allCases.firstIndex(of: one.catalogue) ?? 0
                < Catalogue.allCases.firstIndex(of: other.catalogue) ?? 0
        }
        return (one.number, one.name) < (other.number, other.name)
    }

    private init(_ catalogue: Catalogue, _ number: Int, _ name: String) {
        self.catalogue = catalogue
        self.number = number
        self.name = name
    }

    /// Reads the object that `text` begins with in one of ``CatalogueSpelling/all``, and removes it from `text`.
    private init?(takenFrom text: inout ArraySlice<UInt8>) {
        for spelling in CatalogueSpelling.all where text.starts(with: spelling.prefix.utf8) {
            var rest = text.dropFirst(spelling.prefix.utf8.count)
            guard let number = rest.popNumber(), spelling.numbers.contains(number) else { continue }
            let catalogue = spelling.catalogue
            self.init(catalogue, number, "\(catalogue.prefix)\(number)")
            text = rest
            return
        }
        return nil
    }

    /// All spellings of the object with one `spelling`: `m31` and `messier31` for `m31`; empty if it is no object.
    static func spellings(like spelling: [UInt8]) -> [[UInt8]] {
        var rest = spelling[...]
        guard let object = Self(takenFrom: &rest), rest.isEmpty else { return [] }
        let spellings = CatalogueSpelling.all.filter {
            $0.catalogue == object.catalogue && $0.numbers.contains(object.number)
        }
        return spellings.map { Array("\($0.prefix)\(object.number)".utf8) }
    }

    // The following initializers read an object in a folded text, where the scan has found a run of letters or digits.

    /// Reads `ngc 7000` or `c/2023 a3`, for example, from the letters and the text after them.
    fileprivate init?(letters: ArraySlice<UInt8>, before text: ArraySlice<UInt8>) {
        var rest = text
        rest.skipBlank(before: \.isDigit)
        guard rest.first?.isDigit == true else {
            self.init(comet: letters, before: rest)
            return
        }
        // The longest rest of a spelling is that of “sharpless 2 313”.
        var name = letters + rest.prefix(8)
        self.init(takenFrom: &name)
    }

    /// Reads a comet with its year, such as `c/2023 a3`, from its first letter and the text after it.
    private init?(comet letter: ArraySlice<UInt8>, before text: ArraySlice<UInt8>) {
        var rest = text
        guard letter.elementsEqual("c".utf8) || letter.elementsEqual("p".utf8),
            rest.popFirst() == UInt8(ascii: "/"), let year = rest.popNumber(), year >= 1000
        else { return nil }
        rest.skipBlank(before: \.isLowercaseASCIILetter)
        let halfMonth = rest.prefix(while: \.isLowercaseASCIILetter)
        rest = rest.dropFirst(halfMonth.count)
        rest.skipBlank(before: \.isDigit)
        guard 1...2 ~= halfMonth.count, let number = rest.popNumber() else { return nil }
        let letters = [letter, halfMonth].map { String(decoding: $0, as: UTF8.self).uppercased() }
        self.init(.comets, year, "\(letters[0])/\(year) \(letters[1])\(number)")
    }

    /// Reads a comet that comes back again and again, such as `67p/`, from its digits and the text after them.
    fileprivate init?(digits: ArraySlice<UInt8>, before text: ArraySlice<UInt8>) {
        var digits = digits
        var rest = text
        rest.skipBlank(before: \.isLowercaseASCIILetter)
        guard digits.count <= 3, rest.starts(with: "p/".utf8), let number = digits.popNumber()
        else { return nil }
        self.init(.comets, number, "\(number)P/")
    }
}

extension SearchText {
    /// The objects that the texts name; a search for the ``CatalogueObject/searchTerm`` of each finds its texts.
    package var objects: Set<CatalogueObject> {
        var objects: Set<CatalogueObject> = []
        var rest = bytes[...]
        while let first = rest.first {
            let isNumber = first.isDigit
            let run = rest.prefix { isNumber ? $0.isDigit : $0.isLowercaseASCIILetter }
            rest = rest.dropFirst(max(1, run.count))
            guard !run.isEmpty else { continue }
            let object =
                isNumber
                ? CatalogueObject(digits: run, before: rest)
                : CatalogueObject(letters: run, before: rest)
            if let object { objects.insert(object) }
        }
        return objects
    }
}

extension ArraySlice<UInt8> {
    /// Removes a blank at the start, if a character of this kind follows.
    fileprivate mutating func skipBlank(before isKind: (UInt8) -> Bool) {
        if first == UInt8(ascii: " "), dropFirst().first.map(isKind) == true { removeFirst() }
    }

    /// Removes and returns a number of up to four digits at the start; `nil` if there is none, or if it begins with 0.
    fileprivate mutating func popNumber() -> Int? {
        let digits = prefix(while: \.isDigit)
        guard 1...4 ~= digits.count, digits.first != UInt8(ascii: "0") else { return nil }
        self = dropFirst(digits.count)
        return Int(String(decoding: digits, as: UTF8.self))
    }
}

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
            let word = spelling.prefix.prefix { $0 != " " }
            return [String(word), String(word.prefix { $0.isLetter })]
        }
    ).union(["c"])
}
