/// The little of HTML that the simulated pages are made of.
enum HTML {
    /// `text` as it stands in markup.
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

    /// What a reader sees of `markup`, in one line as the older feed sends it.
    static func plainText(of markup: String) -> String {
        var plain = ""
        var rest = markup[...]
        while let character = rest.first {
            if character == "<", let end = rest.firstIndex(of: ">") {
                if rest.hasPrefix("<br") || rest.hasPrefix("<p") { plain += " " }
                rest = rest[rest.index(after: end)...]
            } else if let (entity, meaning) = entities.first(where: { rest.hasPrefix($0.0) }) {
                plain += meaning
                rest = rest.dropFirst(entity.count)
            } else {
                plain.append(character)
                rest.removeFirst()
            }
        }
        return plain
    }

    private static let entities = [
        ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", "\u{a0}"),
    ]

    /// `path` as it stands in an address; see RFC 3986, section 3.3.
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
