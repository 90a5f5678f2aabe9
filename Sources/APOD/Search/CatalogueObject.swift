/// An object that a text names by its number in a catalogue, such as NGC 7000; "M 31" and "Messier 31" are one object.
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

        /// The text before the number in the name of an object.
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
    /// The number in the catalogue; for a comet its year, or the number of one that returns.
    private let number: Int
    /// `NGC 7000`, for example.
    package let name: String

    /// The search term that finds all days whose ``SearchText/objects`` contain it, such as `NGC7000`.
    package var term: String { name.replacing(" ", with: "") }

    package static func < (one: Self, other: Self) -> Bool {
        guard one.catalogue == other.catalogue else {
            return Catalogue.allCases.firstIndex(of: one.catalogue) ?? 0
                < Catalogue.allCases.firstIndex(of: other.catalogue) ?? 0
        }
        return (one.number, one.name) < (other.number, other.name)
    }

    private init(_ catalogue: Catalogue, _ number: Int, _ name: String) {
        (self.catalogue, self.number, self.name) = (catalogue, number, name)
    }

    /// Reads and removes the object at the beginning of `name`, in one of ``CatalogueSpelling/all``.
    private init?(spelledIn name: inout ArraySlice<UInt8>) {
        for spelling in CatalogueSpelling.all where name.starts(with: spelling.prefix.utf8) {
            var rest = name.dropFirst(spelling.prefix.utf8.count)
            guard let number = rest.popNumber(), spelling.numbers.contains(number) else { continue }
            let catalogue = spelling.catalogue
            self.init(catalogue, number, "\(catalogue.prefix)\(number)")
            name = rest
            return
        }
        return nil
    }

    /// All spellings of the object `name`: `m31` and `messier31` for `m31`; empty if it is no object.
    static func spellings(of name: [UInt8]) -> [[UInt8]] {
        var rest = name[...]
        guard let object = Self(spelledIn: &rest), rest.isEmpty else { return [] }
        let spellings = CatalogueSpelling.all.filter {
            $0.catalogue == object.catalogue && $0.numbers.contains(object.number)
        }
        return spellings.map { Array("\($0.prefix)\(object.number)".utf8) }
    }

    /// Reads an object in a folded text, such as `ngc 7000`, from its letters `word` and the `text` after them.
    fileprivate init?(word: ArraySlice<UInt8>, following text: ArraySlice<UInt8>) {
        var rest = text
        rest.skipBlank(before: \.isDigit)
        guard rest.first?.isDigit == true else {
            self.init(comet: word, rest)
            return
        }
        // No spelling has more digits after its letters.
        var name = word + rest.prefix(8)
        self.init(spelledIn: &name)
    }

    /// Reads a comet such as `c/2023 a3`.
    private init?(comet word: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) {
        var rest = text
        guard word.count == 1, word.elementsEqual("c".utf8) || word.elementsEqual("p".utf8),
            rest.popFirst() == UInt8(ascii: "/"), let year = rest.popNumber(), year >= 1000
        else { return nil }
        rest.skipBlank(before: \.isASCIILetter)
        let letters = rest.prefix(while: \.isASCIILetter)
        rest = rest.dropFirst(letters.count)
        rest.skipBlank(before: \.isDigit)
        guard 1...2 ~= letters.count, let number = rest.popNumber() else { return nil }
        let name = String(decoding: word + "/".utf8, as: UTF8.self) + "\(year) "
        self.init(
            .comets, year,
            (name + String(decoding: letters, as: UTF8.self)).uppercased() + "\(number)")
    }

    /// Reads a comet that returns, such as `67p/`.
    fileprivate init?(digits: ArraySlice<UInt8>, following rest: ArraySlice<UInt8>) {
        var (digits, rest) = (digits, rest)
        rest.skipBlank(before: \.isASCIILetter)
        guard digits.count <= 3, rest.starts(with: "p/".utf8), let number = digits.popNumber()
        else { return nil }
        self.init(.comets, number, "\(number)P/")
    }
}

extension SearchText {
    /// The objects that the texts name by catalogue; ``contains(_:)`` finds the term of each.
    package var objects: Set<CatalogueObject> {
        var objects: Set<CatalogueObject> = []
        var rest = bytes[...]
        while let first = rest.first {
            let isNumber = first.isDigit
            let run = rest.prefix { isNumber ? $0.isDigit : $0.isASCIILetter }
            rest = rest.dropFirst(max(1, run.count))
            guard !run.isEmpty else { continue }
            let object =
                isNumber
                ? CatalogueObject(digits: run, following: rest)
                : CatalogueObject(word: run, following: rest)
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
/// The index of objects, `apod-mirror search` and the gallery use ``all``.
package struct CatalogueSpelling: Sendable {
    package let catalogue: CatalogueObject.Catalogue
    /// The text before the number, folded as in ``SearchText``, without a blank between letters and digits.
    package let prefix: String
    /// The numbers that are written in this way.
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
        // Without 2, because “Sharpless 2” is the beginning of “Sharpless 2-155”.
        Self(.sharpless, "sharpless", 1...1), Self(.sharpless, "sharpless", 3...313),
        // Without B2 and others that are kinds of stars, or parts of the names of comets.
        Self(.barnard, "barnard", 1...370), Self(.barnard, "b", 10...370),
        Self(.abell, "abell", 1...4076),
    ]

    /// The words that people type before the number, with a blank.
    ///
    /// Some people type “c” for Caldwell, although texts do not write it so.
    package static let words: Set = Set(
        all.flatMap { spelling in
            let word = spelling.prefix.prefix { $0 != " " }
            return [String(word), String(word.prefix { $0.isLetter })]
        }
    ).union(["c"])
}
