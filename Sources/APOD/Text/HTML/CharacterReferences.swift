internal import CXML
internal import Platform

/// Replaces the references to characters that libxml2 leaves in a text, for ``HTMLDocument``.
///
/// libxml2 does not know names such as `&nacute;`, which HTML 4 lacks. And NASA's site escaped some texts twice when they
/// were moved: libxml2 reads `caf&amp;eacute;` as `caf&eacute;`, which stands for “café”.
extension String {
    /// The text with the characters instead of references to them.
    ///
    /// `&lt;` and `&gt;` stay, because a text about HTML shows them.
    var withReferencesResolved: String {
        guard utf8.contains(UInt8(ascii: "&")) else { return self }
        var text = self
        // libxml2 has resolved one level, and no text of the archive was escaped more than four times.
        for _ in 0..<3 {
            let resolved = text.withReferencesResolvedOnce
            if resolved == text { break }
            text = resolved
        }
        return text.withWindowsCharacters
    }

    /// The text with each reference replaced once: `&amp;#8217;` becomes `&#8217;`, which is a reference itself.
    private var withReferencesResolvedOnce: String {
        let parts = utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: String(Substring(parts[0]))) { text, part in
            if let end = part.firstIndex(of: UInt8(ascii: ";")),
                let character = Self.character(referencedBy: Substring(part[..<end]))
            {
                text += character
                text += Substring(part[end...].dropFirst())
            } else {
                text += "&"
                text += Substring(part)
            }
        }
    }

    /// The character, or sometimes two, for the text between `&` and `;`; `nil` if the reference stays as it is.
    private static func character(referencedBy name: Substring) -> String? {
        if name == "lt" || name == "gt" { return nil }
        return name.hasPrefix("#") ? character(numbered: name.dropFirst()) : character(named: name)
    }

    /// The character with a number such as `8217` or `x2019`.
    private static func character(numbered text: Substring) -> String? {
        let isHexadecimal = text.hasPrefix("x") || text.hasPrefix("X")
        let digits = isHexadecimal ? text.dropFirst() : text
        // `UInt32` would also take a sign.
        guard digits.allSatisfy(\.isHexDigit),
            let number = UInt32(digits, radix: isHexadecimal ? 16 : 10),
            // No control characters, but for those that Windows-1252 has as letters.
            0x20...0x7E ~= number || number >= 0x80
        else { return nil }
        return Unicode.Scalar(number).map { String($0) }
    }

    /// The character with a name such as `nacute`, from libxml2 for HTML 4, and from `characters.txt` for HTML 5.
    ///
    /// The file has the names of the HTML standard, section 13.5, that HTML 4 lacks, except for `fjlig`, which is two
    /// letters. It is searched in microseconds; a dictionary would occupy memory as long as the program runs.
    private static func character(named name: Substring) -> String? {
        guard !name.isEmpty, name.utf8.count <= 31, name.utf8.allSatisfy(\.isASCIIWord) else {
            return nil
        }
        if let entity = unsafe htmlEntityLookup(String(name)) {
            return unsafe Unicode.Scalar(entity.pointee.value).map { String($0) }
        }
        // A line of the table has the code of a character, or of two, and its names: `2A95 els eqslantless`.
        let table = PackageResources.characters_txt
        let position = [" \(name) ", " \(name)\n"].lazy
            .compactMap { table.range(of: Array($0.utf8))?.lowerBound }.first
        guard let position else { return nil }
        let line = table[..<position].split(separator: UInt8(ascii: "\n")).last ?? []
        let codes = String(decoding: line.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
        let scalars = codes.split(separator: "+").compactMap { code in
            UInt32(code, radix: 16).flatMap { Unicode.Scalar($0) }
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// The text with the characters of Windows-1252 instead of U+0080 to U+009F: HTML defines that `&#146;` is ’.
    ///
    /// Five of these codes have no character in Windows-1252, and are removed.
    var withWindowsCharacters: String {
        // In UTF-8, these characters begin with 0xC2.
        guard utf8.contains(0xC2) else { return self }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            guard 0x80...0x9F ~= scalar.value else {
                text.append(scalar)
                continue
            }
            let character = Self.windowsCharacters[Int(scalar.value) - 0x80]
            if character != "\u{FFFD}" { text.append(character) }
        }
        return String(text)
    }

    /// The characters with the codes from 0x80 to 0x9F.
    private static let windowsCharacters = Array(
        "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ".unicodeScalars)
}
