internal import APOD

/// A short text that is nothing but one date or one address.
enum TextReference {
    /// Its line, `nil` where `bytes` are anything else.
    static func line(_ bytes: [UInt8]) -> String? {
        guard bytes.count <= 2048, let text = String(validating: bytes, as: UTF8.self) else {
            return nil
        }
        let lines = text.split(whereSeparator: \.isWhitespace)
        return lines.count == 1 ? String(lines[0]) : nil
    }
}
