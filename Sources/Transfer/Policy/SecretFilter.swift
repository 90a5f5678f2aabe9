/// Removes the API key from responses and errors: a server may repeat the request in them.
///
/// The key is found in upper and lower case, percent-encoded any number of times, escaped as in JSON, and cut off
/// at the end of a text.
package struct SecretFilter: Sendable {
    /// In lower case.
    private let secret: [UInt8]

    /// - Parameter secret: `nil` or empty if there is none.
    package init?(_ secret: String?) {
        guard let secret, !secret.isEmpty else { return nil }
        self.secret = secret.utf8.map(lowercase)
    }

    /// A shorter key may be part of any word: a response without those letters could be invalid.
    private static let shortestInBody = 8
    /// The minimum length of a cut-off key at the end of a text.
    private static let shortestStart = 4
    private static let replacement = Array("…".utf8)

    /// The text with “…” in place of the key.
    package func redacted(_ text: String) -> String {
        String(decoding: redacted(Array(text.utf8)), as: UTF8.self)
    }

    /// A whole response without the key, unless the key is short.
    package func redacted(body: [UInt8]) -> [UInt8] {
        secret.count < Self.shortestInBody ? body : redacted(body)
    }

    /// The bytes of a text with “…” in place of the key.
    package func redacted(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var copied = 0
        var index = 0
        while index < bytes.count {
            if mayBegin(with: bytes[index]), let end = endOfKey(in: bytes, at: index) {
                result += bytes[copied..<index]
                result += Self.replacement
                (index, copied) = (end, end)
            } else {
                index += 1
            }
        }
        return copied == 0 ? bytes : result + bytes[copied...]
    }

    /// Whether a spelling of the key may begin with `byte`: few bytes of a response need a closer look.
    private func mayBegin(with byte: UInt8) -> Bool {
        lowercase(byte) == secret[0] || "%\\".utf8.contains(byte)
    }

    /// The end of the key that begins at `start`, or of the text if it is cut off there; `nil` if there is no key.
    private func endOfKey(in bytes: [UInt8], at start: Int) -> Int? {
        // `%25` may be three bytes of the key, or an encoded one: each possible end is followed.
        var ends = [start]
        for (count, expected) in secret.enumerated() {
            if count >= Self.shortestStart {
                for end in ends { if let cut = endOfText(bytes, at: end) { return cut } }
            }
            ends = ends.flatMap { self.ends(of: expected, in: bytes, at: $0) }
            guard !ends.isEmpty else { return nil }
        }
        return ends.max()
    }

    /// The indices after each spelling of the byte `expected` that begins at `index`.
    private func ends(of expected: UInt8, in bytes: [UInt8], at index: Int) -> [Int] {
        guard index < bytes.count else { return [] }
        var ends = lowercase(bytes[index]) == expected ? [index + 1] : []
        if bytes[index] == UInt8(ascii: "%") {
            var digits = index + 1
            if hexadecimal(bytes, digits) == expected { ends.append(digits + 2) }
            // `%25` is a percent sign, by which another escape may begin.
            while bytes[digits...].starts(with: "25".utf8) {
                digits += 2
                if hexadecimal(bytes, digits) == expected { ends.append(digits + 2) }
            }
        } else if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count {
            let isEscaped = "\"\\/".utf8.contains(expected) && bytes[index + 1] == expected
            if isEscaped { ends.append(index + 2) }
            let isNumber = bytes[(index + 1)...].starts(with: "u00".utf8)
            if isNumber, hexadecimal(bytes, index + 4) == expected { ends.append(index + 6) }
        }
        return ends
    }

    /// The end of the text if `index` is there, or only the beginning of an escape is left; `nil` otherwise.
    ///
    /// A text that was shortened before ends with “…”.
    private func endOfText(_ bytes: [UInt8], at index: Int) -> Int? {
        let isEnd = { end in end == bytes.count || bytes[end...].starts(with: Self.replacement) }
        guard let end = (index...min(index + 5, bytes.count)).first(where: isEnd) else {
            return nil
        }
        let rest = bytes[index..<end]
        return switch rest.first {
        case nil: end
        case UInt8(ascii: "%") where rest.count < 3 || rest.dropFirst().starts(with: "25".utf8): end
        case UInt8(ascii: "\\") where "\\u00".utf8.starts(with: rest.prefix(4)): end
        default: nil
        }
    }

    /// The number of the two hexadecimal digits at `start`, a letter in lower case; `nil` if they are none.
    private func hexadecimal(_ bytes: [UInt8], _ start: Int) -> UInt8? {
        let digits = bytes[start...].prefix(2)
            .compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        return digits.count == 2 ? lowercase(UInt8(digits[0] << 4 | digits[1])) : nil
    }
}

private func lowercase(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
}
