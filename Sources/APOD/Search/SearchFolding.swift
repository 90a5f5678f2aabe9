/// The characters that a search treats as equal, in `apod-mirror search` and in the gallery: “ø” is “o”.
///
/// A text is first made lower case, and the accents are removed that Unicode decomposes. Then this table is applied, and in
/// the end white space in a row is made one blank.
package enum SearchFolding {
    /// Letters that Unicode does not decompose, and what people type for them.
    private static let letters: [Unicode.Scalar: String] = [
        "æ": "ae", "ð": "d", "ø": "o", "þ": "th", "ß": "ss", "đ": "d", "ħ": "h", "ı": "i", "ł": "l",
        "œ": "oe", "ŧ": "t",
    ]
    /// Apostrophes, the ʻokina, soft hyphens and characters without a width, which people leave out.
    private static let ignored: [Unicode.Scalar] = [
        "'", "`", "´", "ʹ", "ʻ", "ʼ", "‘", "’", "′", "\u{AD}", "\u{200B}", "\u{200C}", "\u{200D}",
        "\u{2060}", "\u{FEFF}",
    ]
    /// Hyphens and dashes: “wide-field” is “wide field”.
    private static let dashes: [Unicode.Scalar] = ["-", "‐", "‑", "‒", "–", "—", "―", "−"]

    /// The text that each folded character becomes.
    package static let table: [Unicode.Scalar: String] = {
        var table = letters
        for character in ignored { table[character] = "" }
        for dash in dashes { table[dash] = " " }
        // “CO₂” is found by “CO2”, 10⁻¹⁹ by 10-19, and eˣ by ex.
        for (script, plain) in ScriptAlphabet.allCases.flatMap(\.plainCharacters) {
            table[script] = table[plain] ?? String(plain).lowercased()
        }
        return table
    }()

    /// What each character of ASCII becomes, including lower case and blanks; 0 if it is left out.
    package static let ascii: [UInt8] = (0..<0x80).map { byte in
        let character = Unicode.Scalar(UInt8(byte))
        if character.properties.isWhitespace { return UInt8(ascii: " ") }
        if let folded = table[character] { return folded.utf8.first ?? 0 }
        return UInt8(byte).lowercased
    }
}
