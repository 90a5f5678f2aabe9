/// What a search takes for the same: the one table of `apod-mirror search` and of the gallery.
///
/// Before it, a text is in lower case and without the accents that Unicode decomposes; after it, white space is one blank.
package enum SearchFolding {
    /// Letters that Unicode does not decompose, as people type them.
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

    /// The text for each character that is folded.
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

    /// The same for each character of ASCII, in lower case; 0 for one that is left out.
    package static let ascii: [UInt8] = (0..<0x80).map { byte in
        let character = Unicode.Scalar(UInt8(byte))
        if character.properties.isWhitespace { return UInt8(ascii: " ") }
        if let folded = table[character] { return folded.utf8.first ?? 0 }
        return 0x41...0x5A ~= byte ? UInt8(byte | 0x20) : UInt8(byte)
    }
}
