internal import Platform

/// Encodes text for feeds, and decodes markup.
enum FeedMarkup {
    /// `text` escaped for markup, with dashes and curly quotation marks as the numbers that WordPress writes.
    static func escaped(_ text: String) -> String {
        text.htmlEscaped.unicodeScalars.map { scalar in
            "\u{2010}"..."\u{203a}" ~= scalar ? "&#\(scalar.value);" : String(scalar)
        }.joined()
    }

    /// The plain text of `markup` on one line, as the v1 feed sends it.
    static func plainText(of markup: String) -> String {
        var plain = ""
        var rest = markup[...]
        while let start = rest.utf8.firstIndex(where: { $0 == 0x3c || $0 == 0x26 }) {
            plain += rest[..<start]
            rest = rest[start...]
            if rest.utf8.first == 0x3c, let end = rest.utf8.firstIndex(of: 0x3e) {
                if rest.hasPrefix("<br") || rest.hasPrefix("<p") { plain += " " }
                rest = rest[rest.index(after: end)...]
            } else {
                let (character, length) = reference(at: rest) ?? (rest[rest.startIndex], 1)
                plain.append(character)
                rest = rest.dropFirst(length)
            }
        }
        return plain + rest
    }

    /// The character of a reference such as `&amp;` or `&#8217;` that begins `markup`, and the length of it.
    private static func reference(at markup: Substring) -> (Character, Int)? {
        guard markup.first == "&", let end = markup.prefix(8).firstIndex(of: ";") else {
            return nil
        }
        let name = markup[..<end].dropFirst()
        let number = name.first == "#" ? UInt32(name.dropFirst()) : nil
        let scalar = number.flatMap { Unicode.Scalar($0) }
        guard let character = entities[String(name)] ?? scalar.map({ Character($0) }) else {
            return nil
        }
        return (character, name.count + 2)
    }

    private static let entities: [String: Character] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "nbsp": "\u{a0}",
    ]
}
