import APOD
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

    /// A word or phrase that is searched.
    init(_ text: String) {
        appendFolded(text.utf8)
        let blank = UInt8(ascii: " ")
        bytes = Array(bytes.drop { $0 == blank })
        while bytes.last == blank { bytes.removeLast() }
    }

    /// Whether nothing is left of the text, as of an apostrophe.
    var isEmpty: Bool { bytes.isEmpty }

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

    /// Appends folded ASCII; of white space in a row, one blank.
    private mutating func appendASCII(_ text: some Collection<UInt8>) {
        let start = bytes.count
        bytes += text
        let (blank, table) = (UInt8(ascii: " "), SearchFolding.ascii)
        var end = start
        var isAfterBlank = start > 0 && bytes[start - 1] == blank
        var characters = bytes.mutableSpan
        for index in start..<characters.count {
            let folded = table[Int(characters[index])]
            if folded == 0 || (folded == blank && isAfterBlank) { continue }
            isAfterBlank = folded == blank
            characters[end] = folded
            end += 1
        }
        bytes.removeLast(bytes.count - end)
    }

    /// Appends a character in lower case, without the accents of its decomposition.
    private mutating func appendFolded(_ scalar: Unicode.Scalar) {
        let result: [UInt8]
        if let known = folded[scalar] {
            result = known
        } else {
            var text = ""
            for scalar in String(scalar).lowercased()._nfd where !scalar.properties.isMark {
                text +=
                    scalar.properties.isWhitespace
                    ? " " : SearchFolding.table[scalar] ?? String(scalar)
            }
            result = Array(text.utf8)
            folded[scalar] = result
        }
        if result == [UInt8(ascii: " ")], bytes.last == result[0] { return }
        bytes += result
    }
}

extension Unicode.Scalar.Properties {
    /// Whether it is an accent or another mark on the character before.
    fileprivate var isMark: Bool {
        [.nonspacingMark, .spacingMark, .enclosingMark].contains(generalCategory)
    }
}
