import JSON
import Platform
@_spi(_Unicode) import Swift

/// A text as bytes without case and without accents: “Ångström” is found by “angstrom”.
struct SearchText: Sendable {
    private var bytes: [UInt8] = []
    /// What each character outside ASCII became so far.
    private var folded: [Unicode.Scalar: [UInt8]] = [:]

    init() {}

    init(_ text: String) { append(text.utf8) }

    /// Makes this the text of a string in JSON; empty where there is none.
    mutating func replace(with value: RawJSON?) {
        bytes.removeAll(keepingCapacity: true)
        append(value)
    }

    /// Appends the text of a string in JSON as another line.
    mutating func append(_ value: RawJSON?) {
        guard let value, value.bytes.first == UInt8(ascii: "\"") else { return }
        bytes.append(UInt8(ascii: "\n"))
        let content = value.bytes.dropFirst().dropLast()
        if content.contains(UInt8(ascii: "\\")) {
            append((value.string ?? "").utf8)
        } else {
            append(content)
        }
    }

    /// Whether `word` stands in it, byte for byte.
    func contains(_ word: SearchText) -> Bool { bytes.contains(bytes: word.bytes) }

    private mutating func append(_ text: some Collection<UInt8>) {
        var rest = text[...]
        while let end = rest.firstIndex(where: { $0 >= 0x80 }) {
            appendASCII(rest[..<end])
            let next = rest[end...].firstIndex { $0 < 0x80 } ?? rest.endIndex
            for scalar in String(decoding: rest[end..<next], as: UTF8.self).unicodeScalars {
                append(scalar)
            }
            rest = rest[next...]
        }
        appendASCII(rest)
    }

    private mutating func appendASCII(_ text: some Collection<UInt8>) {
        bytes += text.lazy.map { 0x41...0x5a ~= $0 ? $0 | 0x20 : $0 }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if let known = folded[scalar] {
            bytes += known
            return
        }
        var scalars = String.UnicodeScalarView()
        for scalar in String(scalar).lowercased()._nfd
        where scalar.properties.generalCategory != .nonspacingMark {
            scalars.append(scalar)
        }
        let result = Array(String(scalars).utf8)
        folded[scalar] = result
        bytes += result
    }
}
