internal import CXML
// For `_nfc`: FoundationEssentials has no normalization.
@_spi(_Unicode) import Swift

/// The references to characters that libxml2 leaves in a text: those that HTML 4 lacks, such as `&nacute;`, and those
/// that were escaped twice, such as `&amp;#8217;`, as WordPress does with texts that were moved.
extension String {
    /// The text with the characters in place of such references; all others stay.
    ///
    /// `&lt;`, `&gt;` and `&amp;` that were escaped twice stay, too: they are what a text about HTML shows.
    var withReferencesResolved: String {
        guard utf8.contains(UInt8(ascii: "&")) else { return self }
        let parts = split(separator: "&", omittingEmptySubsequences: false)
        guard let first = parts.first else { return self }
        let text = parts.dropFirst().reduce(into: String(first)) { text, part in
            if let end = part.firstIndex(of: ";"),
                let character = Self.character(referencedBy: part[..<end])
            {
                text.unicodeScalars.append(character)
                text += part[part.index(after: end)...]
            } else {
                text += "&"
                text += part
            }
        }
        return text.withWindowsCharacters
    }

    /// The character that is referenced by `name`, what is between `&` and `;`; `nil` if HTML has none of that name.
    private static func character(referencedBy name: Substring) -> Unicode.Scalar? {
        guard name.utf8.count <= 12, !["lt", "gt", "amp"].contains(name) else { return nil }
        if name.hasPrefix("#") {
            let isHexadecimal = name.hasPrefix("#x") || name.hasPrefix("#X")
            let digits = name.dropFirst(isHexadecimal ? 2 : 1)
            // `UInt32` would also take a sign.
            guard digits.allSatisfy(\.isHexDigit),
                let number = UInt32(digits, radix: isHexadecimal ? 16 : 10)
            else { return nil }
            // No control characters, but for those that Windows-1252 has as letters.
            return 0x20...0x7E ~= number || number >= 0x80 ? Unicode.Scalar(number) : nil
        }
        if let entity = unsafe htmlEntityLookup(String(name)) {
            return unsafe Unicode.Scalar(entity.pointee.value)
        }
        return character(named: name)
    }

    /// The character of ``namedCharacters``; else the letter of ASCII that `name` begins with, with the accent that is the
    /// rest of it; `nil` for another name.
    private static func character(named name: Substring) -> Unicode.Scalar? {
        if let character = namedCharacters[String(name)] { return character }
        guard let base = name.unicodeScalars.first, let accent = accents[String(name.dropFirst())],
            // HTML's triple dot above, which is no dotted t.
            name != "tdot"
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
    /// The letters that Unicode does not compose, and the signs of HTML 5 that texts on astronomy may have.
    private static let namedCharacters: [String: Unicode.Scalar] = [
        "Dstrok": "Đ", "dstrok": "đ", "Hstrok": "Ħ", "hstrok": "ħ", "inodot": "ı", "Lstrok": "Ł",
        "lstrok": "ł", "Tstrok": "Ŧ", "tstrok": "ŧ",
        "apos": "'", "ast": "*", "colon": ":", "comma": ",", "commat": "@", "dollar": "$",
        "equals": "=",
        "excl": "!", "lpar": "(", "lsqb": "[", "num": "#", "percnt": "%", "period": ".",
        "plus": "+",
        "quest": "?", "rpar": ")", "rsqb": "]", "semi": ";", "sol": "/", "verbar": "|",
        "dash": "‐", "hyphen": "‐", "horbar": "―", "mldr": "…", "nldr": "‥", "hairsp": "\u{200A}",
        "numsp": "\u{2007}", "half": "½", "frac13": "⅓", "frac15": "⅕", "frac18": "⅛",
        "frac23": "⅔",
        "frac25": "⅖", "frac35": "⅗", "frac38": "⅜", "frac45": "⅘", "frac58": "⅝", "frac78": "⅞",
        "star": "☆", "starf": "★", "bigstar": "★", "phone": "☎", "female": "♀", "male": "♂",
        "check": "✓", "odot": "⊙", "ap": "≈", "approx": "≈", "thkap": "≈", "sime": "≃", "leq": "≤",
        "geq": "≥",
        "ll": "≪", "gg": "≫", "lsim": "≲", "gsim": "≳", "pm": "±", "mp": "∓", "ell": "ℓ",
        "hbar": "ℏ",
        "planck": "ℏ", "angst": "Å", "epsi": "ε", "varphi": "ϕ", "phiv": "ϕ", "rarr": "→",
        "rightarrow": "→",
        "leftarrow": "←", "xlarr": "⟵", "xrarr": "⟶",
    ]
}
