/// Encodes text for feeds, and decodes markup.
enum FeedMarkup {
    /// `text` escaped for markup.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            // Dashes and curly quotation marks, which WordPress writes as numbers.
            case "\u{2010}"..."\u{203a}": escaped += "&#\(scalar.value);"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
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
                let entity =
                    entities.first { rest.hasPrefix($0.0) } ?? (
                        String(rest.prefix(1)), String(rest.prefix(1))
                    )
                plain += entity.1
                rest = rest.dropFirst(entity.0.count)
            }
        }
        return plain + rest
    }

    private static let entities = [
        ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", "\u{a0}"),
    ]

    /// `path` percent-encoded; see RFC 3986, section 3.3.
    static func percentEncoded(_ path: String) -> String {
        let allowed = Set(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/@".utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in path.utf8 {
            if allowed.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
