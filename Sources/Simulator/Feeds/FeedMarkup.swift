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
                let entity = entities.first { rest.hasPrefix($0.name) }
                plain += entity?.text ?? rest.prefix(1)
                rest = rest.dropFirst(entity?.name.count ?? 1)
            }
        }
        return plain + rest
    }

    private static let entities: [(name: String, text: Substring)] = [
        ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", "\u{a0}"),
    ]
}
