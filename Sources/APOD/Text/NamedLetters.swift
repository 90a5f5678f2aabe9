// For `_nfc`: FoundationEssentials has no normalization.
@_spi(_Unicode) import Swift

/// The letters with accents that HTML has names for; libxml2 knows only those of HTML 4, such as `&eacute;`.
extension String {
    /// The text with the letters in place of references such as `&nacute;` and `&Lstrok;`, as in the names of people and
    /// places; all others stay.
    var withNamedLetters: String {
        guard utf8.contains(UInt8(ascii: "&")) else { return self }
        let parts = split(separator: "&", omittingEmptySubsequences: false)
        guard let first = parts.first else { return self }
        return parts.dropFirst().reduce(into: String(first)) { text, part in
            if let end = part.firstIndex(of: ";"), let letter = Self.letter(named: part[..<end]) {
                text.unicodeScalars.append(letter)
                text += part[part.index(after: end)...]
            } else {
                text += "&"
                text += part
            }
        }
    }

    /// The letter of ASCII that `name` begins with, with the accent that is the rest of it; `nil` for another name.
    private static func letter(named name: Substring) -> Unicode.Scalar? {
        if let letter = namedLetters[String(name)] { return letter }
        guard !otherNames.contains(String(name)), let base = name.unicodeScalars.first,
            let accent = accents[String(name.dropFirst())]
        else { return nil }
        var letter = String.UnicodeScalarView()
        letter.append(base)
        letter.append(accent)
        // One character only if Unicode has that letter, as all that HTML has names for.
        let composed = Array(String(letter)._nfc)
        return composed.count == 1 ? composed.first : nil
    }

    /// Combining accents by the ends of the names.
    private static let accents: [String: Unicode.Scalar] = [
        "acute": "\u{301}", "breve": "\u{306}", "caron": "\u{30C}", "cedil": "\u{327}",
        "circ": "\u{302}", "dblac": "\u{30B}", "dot": "\u{307}", "grave": "\u{300}",
        "macr": "\u{304}", "ogon": "\u{328}", "ring": "\u{30A}", "tilde": "\u{303}",
        "uml": "\u{308}",
    ]
    /// The names that look like those of letters: of a sign for the Sun, and of three dots.
    private static let otherNames: Set = ["odot", "tdot"]
    /// The letters that Unicode does not compose.
    private static let namedLetters: [String: Unicode.Scalar] = [
        "Dstrok": "Đ", "dstrok": "đ", "Hstrok": "Ħ", "hstrok": "ħ", "inodot": "ı", "Lstrok": "Ł",
        "lstrok": "ł", "Tstrok": "Ŧ", "tstrok": "ŧ",
    ]
}
