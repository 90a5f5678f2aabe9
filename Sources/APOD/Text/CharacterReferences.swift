internal import CXML
internal import Platform

/// The references to characters that libxml2 leaves in a text: those that HTML 4 lacks, such as `&nacute;`, and those
/// that were escaped twice, such as `&amp;#8217;`, as WordPress does with texts that were moved.
extension String {
    /// The text with the characters in place of such references; all others stay.
    ///
    /// `&lt;` and `&gt;` that were escaped twice stay, too: they are what a text about HTML shows.
    var withReferencesResolved: String {
        guard utf8.contains(UInt8(ascii: "&")) else { return self }
        var text = self
        // What was escaped four times is met nowhere.
        for _ in 0..<3 { text.resolveReferences() }
        return text.withWindowsCharacters
    }

    /// Resolves each reference once.
    private mutating func resolveReferences() {
        let parts = split(separator: "&", omittingEmptySubsequences: false)
        self = parts.dropFirst().reduce(into: String(parts.first ?? "")) { text, part in
            if let end = part.firstIndex(of: ";"),
                let characters = Self.characters(referencedBy: part[..<end])
            {
                text += characters
                text += part[part.index(after: end)...]
            } else {
                text += "&"
                text += part
            }
        }
    }

    /// The characters that are referenced by `name`, what is between `&` and `;`; `nil` if HTML has none of that name.
    private static func characters(referencedBy name: Substring) -> String? {
        guard !["lt", "gt"].contains(name) else { return nil }
        if name.hasPrefix("#") {
            let isHexadecimal = name.hasPrefix("#x") || name.hasPrefix("#X")
            let digits = name.dropFirst(isHexadecimal ? 2 : 1)
            // `UInt32` would also take a sign.
            guard digits.allSatisfy(\.isHexDigit),
                let number = UInt32(digits, radix: isHexadecimal ? 16 : 10),
                // No control characters, but for those that Windows-1252 has as letters.
                0x20...0x7E ~= number || number >= 0x80
            else { return nil }
            return Unicode.Scalar(number).map { String($0) }
        }
        guard !name.isEmpty, name.utf8.count <= 31, name.utf8.allSatisfy(\.isASCIIWord) else {
            return nil
        }
        if let entity = unsafe htmlEntityLookup(String(name)) {
            return unsafe Unicode.Scalar(entity.pointee.value).map { String($0) }
        }
        let table = Array(NamedCharacters.table.utf8)
        guard let place = table.range(of: Array(" \(name) ".utf8))?.lowerBound else { return nil }
        return table[..<place].split(separator: UInt8(ascii: " "))
            .last { $0.first?.isASCIIWord == false }.map { String(decoding: $0, as: UTF8.self) }
    }
}
