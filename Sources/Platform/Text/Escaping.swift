/// Escapes text for HTML and for shell commands.
extension String {
    /// The text with the special characters of HTML escaped, for use as content and in attributes in double quotes.
    package var htmlEscaped: String {
        guard utf8.contains(where: { $0.htmlReference != nil }) else { return self }
        var escaped: [UInt8] = []
        for byte in utf8 {
            if let text = byte.htmlReference { escaped += text.utf8 } else { escaped.append(byte) }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    /// The text as one word for sh(1): `pictures/2026`, `'my picture.jpg'`.
    package var shellWord: String {
        let isPlain = utf8.allSatisfy { $0.isASCIIWord || "/._-+=:@%,".utf8.contains($0) }
        return isPlain && !isEmpty ? self : "'\(replacing("'", by: "'\\''"))'"
    }

    /// Replaces each `scalar`, even where Swift counts it and a combining mark after it as one character.
    package func replacing(_ scalar: Unicode.Scalar, by text: String) -> String {
        guard contains(bytes: String(scalar)) else { return self }
        return unicodeScalars.map { $0 == scalar ? text : String($0) }.joined()
    }
}

extension UInt8 {
    /// The reference for a special character of HTML, such as `&amp;`; `nil` for other characters.
    fileprivate var htmlReference: String? {
        switch self {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        default: nil
        }
    }
}
