internal import Platform

/// Removes a key from texts of servers, which may repeat a request.
///
/// The key is found in upper and lower case, percent-encoded, escaped as in JSON, and cut off at the end.
package struct SecretFilter: Sendable {
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

    package func redacted(_ text: String) -> String {
        String(decoding: redacted(Array(text.utf8)), as: UTF8.self)
    }

    /// A whole response without the key, unless the key is short.
    package func redacted(body: [UInt8]) -> [UInt8] {
        secret.count < Self.shortestInBody ? body : redacted(body)
    }

    package func redacted(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var copied = 0
        var index = 0
        while index < bytes.count {
            if let end = match(bytes, at: index) {
                result += bytes[copied..<index]
                result += Self.replacement
                (index, copied) = (end, end)
            } else {
                index += 1
            }
        }
        return copied == 0 ? bytes : result + bytes[copied...]
    }

    /// The end of the key that starts at `start`; `nil` if there is none.
    private func match(_ bytes: [UInt8], at start: Int) -> Int? {
        var index = start
        for (count, expected) in secret.enumerated() {
            guard index < bytes.count, !bytes[index...].elementsEqual("…".utf8) else {
                return count >= Self.shortestStart ? index : nil
            }
            guard let next = end(of: expected, in: bytes, at: index) else { return nil }
            index = next
        }
        return index
    }

    /// The index after the byte `expected` at `index`, which may be encoded; `nil` if there is another byte.
    private func end(of expected: UInt8, in bytes: [UInt8], at index: Int) -> Int? {
        switch bytes[index] {
        case let byte where lowercase(byte) == expected && byte != UInt8(ascii: "%"):
            return index + 1
        case UInt8(ascii: "%"):
            var digits = index + 1
            // Encoded more than once.
            while bytes[digits...].starts(with: "25".utf8) { digits += 2 }
            if expected == UInt8(ascii: "%") { return digits }
            return hexadecimal(bytes, digits) == expected ? digits + 2 : nil
        case UInt8(ascii: "\\"):
            guard bytes[(index + 1)...].starts(with: "u00".utf8) else { return nil }
            return hexadecimal(bytes, index + 4) == expected ? index + 6 : nil
        default: return nil
        }
    }

    private func hexadecimal(_ bytes: [UInt8], _ start: Int) -> UInt8? {
        guard start + 2 <= bytes.count else { return nil }
        let digits = String(decoding: bytes[start..<start + 2], as: UTF8.self)
        return UInt8(digits, radix: 16).map(lowercase)
    }
}

private func lowercase(_ byte: UInt8) -> UInt8 {
    0x41...0x5a ~= byte ? byte | 0x20 : byte
}

extension String {
    /// The address for messages and logs: shortened, without user, password and the values of keys.
    ///
    /// Works on any text: invalid addresses are shown, too.
    var redacted: String { withoutSecrets.excerpt }

    /// The address without user, password and the values of keys.
    var withoutSecrets: String {
        let parts = split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let place = withoutUser(parts[0])
        guard parts.count > 1 else { return place }
        let pairs = parts[1].split(separator: "&", omittingEmptySubsequences: false)
        return place + "?" + pairs.map(withoutKey).joined(separator: "&")
    }
}

private func withoutUser(_ place: Substring) -> String {
    let start = place.firstRange(of: "//")?.upperBound ?? place.startIndex
    let end = place[start...].firstIndex { $0 == "/" || $0 == "\\" } ?? place.endIndex
    guard let at = place[start..<end].lastIndex(of: "@") else { return String(place) }
    return String(place[..<start] + place[place.index(after: at)...])
}

private func withoutKey(_ pair: Substring) -> String {
    let name = pair.prefix { $0 != "=" }
    let isSecret = ["key", "token", "secret", "password", "signature"].contains {
        name.lowercased().contains($0)
    }
    return isSecret && name.endIndex < pair.endIndex ? "\(name)=..." : String(pair)
}
