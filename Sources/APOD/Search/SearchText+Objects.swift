extension SearchText {
    /// The objects that the texts name; a search for the ``CatalogueObject/searchTerm`` of each finds its texts.
    package var objects: Set<CatalogueObject> {
        var objects: Set<CatalogueObject> = []
        var rest = bytes[...]
        while let first = rest.first {
            if first.isDigit {
                let digits = rest.prefix(while: \.isDigit)
                rest = rest[digits.endIndex...]
                if let comet = CatalogueObject.periodicComet(digits, before: rest) {
                    objects.insert(comet)
                }
            } else if first.isLowercaseASCIILetter {
                let letters = rest.prefix(while: \.isLowercaseASCIILetter)
                rest = rest[letters.endIndex...]
                let object =
                    CatalogueObject.numbered(letters, before: rest)
                    ?? CatalogueObject.cometWithYear(letters, before: rest)
                if let object { objects.insert(object) }
            } else {
                rest.removeFirst()
            }
        }
        return objects
    }
}

/// Reads objects in a text that is folded as in ``SearchText``: in lower case, and with a blank for each hyphen.
extension CatalogueObject {
    fileprivate typealias Bytes = ArraySlice<UInt8>

    /// All spellings of the object that `spelling` names: `m31` and `messier31` for `m31`; empty if it names no object.
    static func spellings(like spelling: [UInt8]) -> [[UInt8]] {
        var rest = spelling[...]
        guard let object = rest.popObject(), rest.isEmpty else { return [] }
        let spellings = CatalogueSpelling.all.filter {
            $0.catalogue == object.catalogue && $0.numbers.contains(object.numberOrYear)
        }
        return spellings.map { Array("\($0.prefix)\(object.numberOrYear)".utf8) }
    }

    /// Reads an object such as `ngc 7000` from the letters and the text after them.
    fileprivate static func numbered(_ letters: Bytes, before text: Bytes) -> Self? {
        var rest = text
        rest.skipBlank(before: \.isDigit)
        guard rest.first?.isDigit == true else { return nil }
        // Eight bytes suffice: `2 313` of “sharpless 2 313” is the longest rest of a spelling.
        var spelling = letters + rest.prefix(8)
        return spelling.popObject()
    }

    /// Reads a comet with its year, such as `c/2023 a3`, from its first letter and the text after it.
    fileprivate static func cometWithYear(_ letter: Bytes, before text: Bytes) -> Self? {
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
        return CatalogueObject(
            catalogue: .comets, numberOrYear: year,
            name: "\(letters[0])/\(year) \(letters[1])\(number)")
    }

    /// Reads a comet that comes back again and again, such as `67p/`, from its digits and the text after them.
    fileprivate static func periodicComet(_ digits: Bytes, before text: Bytes) -> Self? {
        var digits = digits
        var rest = text
        rest.skipBlank(before: \.isLowercaseASCIILetter)
        guard digits.count <= 3, rest.starts(with: "p/".utf8), let number = digits.popNumber()
        else { return nil }
        return CatalogueObject(catalogue: .comets, numberOrYear: number, name: "\(number)P/")
    }
}

extension ArraySlice<UInt8> {
    /// Removes and returns the object that the bytes begin with, in one of ``CatalogueSpelling/all``.
    fileprivate mutating func popObject() -> CatalogueObject? {
        for spelling in CatalogueSpelling.all where starts(with: spelling.prefix.utf8) {
            var rest = dropFirst(spelling.prefix.utf8.count)
            guard let number = rest.popNumber(), spelling.numbers.contains(number) else { continue }
            self = rest
            let catalogue = spelling.catalogue
            return CatalogueObject(
                catalogue: catalogue, numberOrYear: number, name: "\(catalogue.prefix)\(number)")
        }
        return nil
    }

    /// Removes and returns a number of up to four digits at the start; `nil` if there is none, or if it begins with 0.
    fileprivate mutating func popNumber() -> Int? {
        let digits = prefix(while: \.isDigit)
        guard 1...4 ~= digits.count, digits.first != UInt8(ascii: "0") else { return nil }
        self = dropFirst(digits.count)
        return Int(String(decoding: digits, as: UTF8.self))
    }

    /// Removes a blank at the start, if a character of this kind follows.
    fileprivate mutating func skipBlank(before isKind: (UInt8) -> Bool) {
        if first == UInt8(ascii: " "), dropFirst().first.map(isKind) == true { removeFirst() }
    }
}
