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

    /// The object that a folded text names with the letters `word` and what follows.
    fileprivate init?(word: ArraySlice<UInt8>, following text: ArraySlice<UInt8>) {
        var rest = text
        rest.skipBlank(before: \.isDigit)
        guard rest.first?.isDigit == true else {
            self.init(comet: word, rest)
            return
        }
        guard let number = rest.popNumber() else { return nil }
        func object(_ catalogue: Catalogue, _ prefix: String, upTo last: Int) -> Self? {
            1...last ~= number ? Self(catalogue, number, "\(prefix)\(number)") : nil
        }
        let found: Self?
        switch String(decoding: word, as: UTF8.self) {
        case "m": found = object(.messier, "M", upTo: 110)
        case "ngc": found = object(.ngc, "NGC ", upTo: 7840)
        case "ic": found = object(.ic, "IC ", upTo: 5386)
        case "caldwell": found = object(.caldwell, "Caldwell ", upTo: 109)
        case "barnard": found = object(.barnard, "Barnard ", upTo: 370)
        case "abell": found = object(.abell, "Abell ", upTo: 4076)
        case let name where name == "sh" || name == "sharpless":
            // It is the second catalogue of Sharpless: “Sh2-155”, “Sharpless 2-155”, and “Sharpless 155”.
            let isSecond = number == 2 && rest.popFirst() == UInt8(ascii: " ")
            let second = isSecond ? rest.popNumber() : nil
            let prefix = name == "sh" ? "Sh2-" : "Sharpless 2-"
            if let second {
                found = 1...313 ~= second ? Self(.sharpless, second, "\(prefix)\(second)") : nil
            } else {
                found =
                    name == "sh" || number == 2 ? nil : object(.sharpless, "Sharpless ", upTo: 313)
            }
        default: found = nil
        }
        guard let found else { return nil }
        self = found
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
