internal import JSON

/// Why a field of an entry is left out.
struct UnusableField: Error {
    /// What the field is, such as "longer than 4096 bytes" or "not a text".
    let reason: String

    init(reason: String) { self.reason = reason }

    init(limit: Int) { reason = "longer than \(limit) bytes" }
}

extension RawJSON {
    /// Reads the text of a field of a ``RawEntry``, of at most `limit` bytes; `nil` for a value that stands for no text.
    ///
    /// `"M 31"` and `{"rendered": "M 31"}`, which WordPress sends, are the text "M 31". The first 40 bytes of a number are a
    /// text, too. `null`, `false`, `true`, `{}` and `[]` stand for no text.
    func text(limit: Int) throws(UnusableField) -> String? {
        switch bytes.first {
        case UInt8(ascii: "\""):
            // An escape sequence such as `\u0041` has at most six bytes for a byte of the text: a longer string is too long.
            let mayFit = bytes.count <= 6 * limit + 2
            guard mayFit, let text = string, text.utf8.count <= limit else {
                throw UnusableField(limit: limit)
            }
            return text
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if let rendered = renderedValue { return try rendered.text(limit: limit) }
            // PHP writes an empty object as a list.
            let isEmpty = bytes.dropFirst().dropLast().allSatisfy { $0 <= UInt8(ascii: " ") }
            guard isEmpty else { throw UnusableField(reason: "not a text") }
            return nil
        case .some(let byte) where byte == UInt8(ascii: "-") || byte.isDigit:
            return String(decoding: bytes.prefix(40), as: UTF8.self)
        default: return nil  // `false`, `null` or `true`.
        }
    }

    /// The member `rendered` of an object, unless it is an object, too.
    private var renderedValue: RawJSON? {
        guard let rendered = try? members(named: ["rendered"])?["rendered"] else { return nil }
        return rendered.bytes.first == UInt8(ascii: "{") ? nil : rendered
    }
}
