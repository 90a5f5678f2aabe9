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
        markup.replacing(/<(?:br|p)[^>]*>/, with: " ").replacing(/<[^>]*>/, with: "")
            .replacing(/&(#?\w{1,6});/) { reference in
                character(reference.output.1).map { String($0) } ?? String(reference.output.0)
            }
    }

    /// The character of a reference such as `&amp;` or `&#8217;`, without its first and last character.
    private static func character(_ reference: Substring) -> Character? {
        guard reference.first == "#" else { return entities[String(reference)] }
        return UInt32(reference.dropFirst()).flatMap { Unicode.Scalar($0) }.map { Character($0) }
    }

    private static let entities: [String: Character] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "nbsp": "\u{a0}",
    ]
}
