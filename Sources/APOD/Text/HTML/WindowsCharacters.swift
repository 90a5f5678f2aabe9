extension String {
    /// The characters of Windows-1252 with the codes from 0x80 to 0x9F; U+FFFD stands for none.
    private static let windowsCharacters = Array(
        "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ".unicodeScalars)

    /// The text with the characters of Windows-1252 instead of the control characters U+0080 to U+009F.
    ///
    /// HTML defines that `&#146;` is ’. NASA's texts also have such codes as characters, without a reference. A code that stands
    /// for no character is left out.
    var withWindowsCharacters: String {
        // In UTF-8, these characters begin with 0xC2.
        guard utf8.contains(0xC2) else { return self }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            let isCode = 0x80...0x9F ~= scalar.value
            let character = isCode ? Self.windowsCharacters[Int(scalar.value) - 0x80] : scalar
            if !isCode || character != "\u{FFFD}" { text.append(character) }
        }
        return String(text)
    }
}
