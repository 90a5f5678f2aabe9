/// An object that a text names by its number in a catalogue, such as NGC 7000.
package struct CatalogueObject: Hashable, Comparable, Sendable {
    /// In the order of the index.
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

        /// What the index has before the number of an object.
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
    /// Of a comet the year, or the number.
    private let number: Int
    /// Such as `NGC 7000`.
    package let name: String

    /// What a search must have to find the days that ``SearchText/objects`` names it for: the name without blanks.
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

    /// The object that `name` begins with in one of ``CatalogueSpelling/all``; removes its spelling.
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

    /// All spellings of the object that `name`, a spelling without its optional blanks, names; none if it names none.
    static func spellings(of name: [UInt8]) -> [[UInt8]] {
        var rest = name[...]
        guard let object = Self(spelledIn: &rest), rest.isEmpty else { return [] }
        let spellings = CatalogueSpelling.all.filter {
            $0.catalogue == object.catalogue && $0.numbers.contains(object.number)
        }
        return spellings.map { Array("\($0.prefix)\(object.number)".utf8) }
    }

    /// The object that a folded text names with the letters `word` and what follows.
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

    /// A comet as `c/2023 a3`: its kind, year, half of a month and number there.
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

    /// A comet that returns, as `67p/`.
    fileprivate init?(digits: ArraySlice<UInt8>, following rest: ArraySlice<UInt8>) {
        var (digits, rest) = (digits, rest)
        rest.skipBlank(before: \.isASCIILetter)
        guard digits.count <= 3, rest.starts(with: "p/".utf8), let number = digits.popNumber()
        else { return nil }
        self.init(.comets, number, "\(number)P/")
    }
}

extension SearchText {
    /// The objects that the texts name by catalogue: for each, ``contains(_:)`` finds its term.
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
    /// Removes a blank at the start before a character of this kind, as ``SearchTerm`` does.
    fileprivate mutating func skipBlank(before isKind: (UInt8) -> Bool) {
        if first == UInt8(ascii: " "), dropFirst().first.map(isKind) == true { removeFirst() }
    }

    /// Removes the number of at most four digits at the start; `nil` if there is none, or with a zero before it.
    fileprivate mutating func popNumber() -> Int? {
        let digits = prefix(while: \.isDigit)
        guard 1...4 ~= digits.count, digits.first != UInt8(ascii: "0") else { return nil }
        self = dropFirst(digits.count)
        return Int(String(decoding: digits, as: UTF8.self))
    }
}
