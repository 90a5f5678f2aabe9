import JSON
import Platform
// For `_nfd`, which decomposes characters: publicly only Foundation can, which takes megabytes.
@_spi(_Unicode) import Swift

/// A text folded for search, without case and accents: “angstrom” finds “Ångström”.
struct SearchText: Sendable {
    /// The folded text in UTF-8.
    private var bytes: [UInt8] = []
    /// The folded forms of all characters outside ASCII so far: folding one takes long.
    private var folded: [Unicode.Scalar: [UInt8]] = [:]

    init() {}

    init(_ text: String) { appendFolded(text.utf8) }

    /// Replaces the text by that of a JSON string, empty if there is none; keeps the memory for it.
    mutating func replace(with value: RawJSON?) {
        bytes.removeAll(keepingCapacity: true)
        append(value)
    }

    /// Appends the text of a JSON string as another line: no word is found across two texts.
    mutating func append(_ value: RawJSON?) {
        guard let value, value.bytes.first == UInt8(ascii: "\"") else { return }
        bytes.append(UInt8(ascii: "\n"))
        // Most strings have no escape: their bytes are the text.
        let content = value.bytes.dropFirst().dropLast()
        if content.contains(UInt8(ascii: "\\")) {
            appendFolded((value.string ?? "").utf8)
        } else {
            appendFolded(content)
        }
    }

    func contains(_ word: SearchText) -> Bool { bytes.contains(bytes: word.bytes) }

    private mutating func appendFolded(_ text: some Collection<UInt8>) {
        var rest = text[...]
        while let end = rest.firstIndex(where: { $0 >= 0x80 }) {
            appendASCII(rest[..<end])
            let next = rest[end...].firstIndex { $0 < 0x80 } ?? rest.endIndex
            for scalar in String(decoding: rest[end..<next], as: UTF8.self).unicodeScalars {
                appendFolded(scalar)
            }
            rest = rest[next...]
        }
        appendASCII(rest)
    }

    /// Appends ASCII in lower case, the bit 0x20 of a letter.
    private mutating func appendASCII(_ text: some Collection<UInt8>) {
        let start = bytes.count
        bytes += text
        for index in start..<bytes.count where UInt8(ascii: "A")...UInt8(ascii: "Z") ~= bytes[index]
        {
            bytes[index] |= 0x20
        }
    }

    /// Appends a character in lower case, without the accents of its decomposition.
    private mutating func appendFolded(_ scalar: Unicode.Scalar) {
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
