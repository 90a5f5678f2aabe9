internal import CXML
internal import Platform

/// Replaces the references to characters that libxml2 leaves in a text, such as `&nacute;`, for ``HTMLDocument``.
///
/// There are two reasons why references are left. libxml2 knows only the names of HTML 4. And NASA's site escaped some texts
/// twice when they were moved: libxml2 reads `caf&amp;eacute;` as `caf&eacute;`, which stands for “café”.
extension String {
    /// How often a text may have been escaped; no text of the archive was escaped more often.
    private static let maximumEscapes = 4

    /// The text with the characters instead of references to them.
    ///
    /// `&lt;` and `&gt;` stay, because a text about HTML shows them.
    var withReferencesResolved: String {
        guard utf8.contains(UInt8(ascii: "&")) else { return self }
        var text = self
        // libxml2 has resolved one level.
        for _ in 1..<Self.maximumEscapes {
            let resolved = text.withReferencesResolvedOnce
            if resolved == text { break }
            text = resolved
        }
        return text.withWindowsCharacters
    }

    /// The text with each reference replaced once: `&amp;#8217;` becomes `&#8217;`, which is a reference itself.
    private var withReferencesResolvedOnce: String {
        let parts = utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        var text = String(Substring(parts[0]))
        for part in parts.dropFirst() {
            if let end = part.firstIndex(of: UInt8(ascii: ";")),
                let character = CharacterReference.character(of: Substring(part[..<end]))
            {
                text += "\(character)\(Substring(part[end...].dropFirst()))"
            } else {
                text += "&\(Substring(part))"
            }
        }
        return text
    }
}

/// Finds the character for the text between the `&` and the `;` of a reference.
private enum CharacterReference {
    /// Returns the character, or sometimes two, for a `reference` such as `eacute` or `#8217`; `nil` if it stays as it is.
    static func character(of reference: Substring) -> String? {
        if reference.hasPrefix("#") { return character(withNumber: reference.dropFirst()) }
        let maximumLength = 31
        guard !["lt", "gt"].contains(reference), 1...maximumLength ~= reference.utf8.count,
            reference.utf8.allSatisfy(\.isASCIIWord)
        else { return nil }
        if let entity = unsafe htmlEntityLookup(String(reference)) {
            return unsafe Unicode.Scalar(entity.pointee.value).map { String($0) }
        }
        return characterOfHTML5(named: reference)
    }

    /// The character with a number such as `8217` or `x2019`.
    private static func character(withNumber text: Substring) -> String? {
        let isHexadecimal = text.hasPrefix("x") || text.hasPrefix("X")
        let digits = isHexadecimal ? text.dropFirst() : text
        // `UInt32` would also take a sign.
        guard digits.allSatisfy(\.isHexDigit),
            let number = UInt32(digits, radix: isHexadecimal ? 16 : 10),
            // No control characters, except the codes that ``withWindowsCharacters`` replaces.
            0x20...0x7E ~= number || number >= 0x80
        else { return nil }
        return Unicode.Scalar(number).map { String($0) }
    }

    /// The character with a name in `characters.txt`, which has the names that HTML 4 lacks: see the HTML standard, 13.5.
    ///
    /// A line has the code of a character, or of two, and its names: `2A95 els eqslantless`. `fjlig`, which is two letters, is
    /// left out. The search takes microseconds; a dictionary would occupy memory as long as the program runs.
    private static func characterOfHTML5(named name: Substring) -> String? {
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
}
