/// Finds the objects for the index of objects; a text is folded: in lower case, and with a blank for each hyphen.
extension SearchText {
    /// The objects that the texts name; a search for the ``CatalogueObject/searchTerm`` of each finds its texts.
    package var objects: Set<CatalogueObject> {
        var objects: Set<CatalogueObject> = []
        var rest = bytes[...]
        while let first = rest.first {
            if first.isDigit {
                let digits = rest.prefix(while: \.isDigit)
                rest = rest[digits.endIndex...]
                let comet = CatalogueObject(periodicComet: digits, before: rest)
                if let comet { objects.insert(comet) }
            } else if first.isLowercaseASCIILetter {
                let letters = rest.prefix(while: \.isLowercaseASCIILetter)
                rest = rest[letters.endIndex...]
                let object =
                    CatalogueObject.numbered(letters, before: rest)
                    ?? CatalogueObject(cometOfYear: letters, before: rest)
                if let object { objects.insert(object) }
            } else {
                rest.removeFirst()
            }
        }
        return objects
    }
}

extension CatalogueObject {
    /// Reads an object such as `ngc 7000` from its letters and the text after them.
    fileprivate static func numbered(
        _ letters: ArraySlice<UInt8>, before text: ArraySlice<UInt8>
    ) -> Self? {
        let number = text.withoutBlank(before: \.isDigit)
        guard number.first?.isDigit == true else { return nil }
        // No object has more bytes after its letters than “sharpless 2 313”, and more than eight would take long to copy.
        return atStart(of: letters + number.prefix(8))?.object
    }

    /// Reads a comet with the year of its discovery, such as `c/2023 a3`, from its first letter and the text after it.
    ///
    /// The year, the half of a month and the number in it are written in this order.
    fileprivate init?(cometOfYear letter: ArraySlice<UInt8>, before text: ArraySlice<UInt8>) {
        var rest = text
        guard letter.elementsEqual("c".utf8) || letter.elementsEqual("p".utf8),
            rest.popFirst() == UInt8(ascii: "/"), let year = rest.popNumber(), year >= 1000
        else { return nil }
        rest = rest.withoutBlank(before: \.isLowercaseASCIILetter)
        let halfMonth = rest.prefix(while: \.isLowercaseASCIILetter)
        rest = rest.dropFirst(halfMonth.count).withoutBlank(before: \.isDigit)
        guard 1...2 ~= halfMonth.count, let number = rest.popNumber() else { return nil }
        let letters = [letter, halfMonth].map { String(decoding: $0, as: UTF8.self).uppercased() }
        self.init(
            catalogue: .comets, numberOrYear: year,
            name: "\(letters[0])/\(year) \(letters[1])\(number)")
    }

    /// Reads a comet that comes back again and again, such as `67p/`, from its digits and the text after them.
    fileprivate init?(periodicComet digits: ArraySlice<UInt8>, before text: ArraySlice<UInt8>) {
        var digits = digits
        guard digits.count <= 3, let number = digits.popNumber(),
            text.withoutBlank(before: \.isLowercaseASCIILetter).starts(with: "p/".utf8)
        else { return nil }
        self.init(catalogue: .comets, numberOrYear: number, name: "\(number)P/")
    }
}

extension ArraySlice<UInt8> {
    /// These bytes without a blank at the start, if a byte of this kind follows it.
    fileprivate func withoutBlank(before isKind: (UInt8) -> Bool) -> Self {
        let isBlank = first == UInt8(ascii: " ")
        return isBlank && dropFirst().first.map(isKind) == true ? dropFirst() : self
    }
}
