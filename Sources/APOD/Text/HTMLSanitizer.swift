/// Rewrites HTML to complete tags with only the attributes in ``HTMLNode/attributes``.
///
/// libxml2 compares each attribute of a tag with all before it, so that thousands of them take seconds.
/// Tags are recognized as in browsers; see the HTML Living Standard, section 13.2.5.
struct HTMLSanitizer {
    /// The maximum number of tags in a document.
    static let tagLimit = 10_000

    private let html: [UInt8]
    private var position = 0
    private var tags = 0
    private var output: [UInt8] = []

    private init(_ html: String) {
        // The parser takes a NUL for the end of the text.
        self.html = Array(html.utf8).filter { $0 >= 0x20 || Self.isBlank($0) }
        output.reserveCapacity(self.html.count)
    }

    /// Returns the sanitized document; `nil` if it has more than ``tagLimit`` tags.
    static func sanitized(_ html: String) -> [UInt8]? {
        var sanitizer = Self(html)
        while true {
            sanitizer.output += sanitizer.read { $0 != UInt8(ascii: "<") }
            guard sanitizer.byte != nil else { return sanitizer.output }
            sanitizer.readMarkup()
            guard sanitizer.tags <= tagLimit else { return nil }
        }
    }

    private var byte: UInt8? { position < html.count ? html[position] : nil }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }

    private mutating func skip(while isSkipped: (UInt8) -> Bool) {
        while let byte, isSkipped(byte) { position += 1 }
    }

    /// Skips up to and including the next `text`, or to the end.
    private mutating func skip(past text: String) {
        let text = Array(text.utf8)
        while position < html.count, !html[position...].starts(with: text) { position += 1 }
        position = min(position + text.count, html.count)
    }

    private mutating func readMarkup() {
        position += 1
        switch byte {
        case UInt8(ascii: "!") where html[position...].starts(with: "!--".utf8): skip(past: "-->")
        case UInt8(ascii: "!"), UInt8(ascii: "?"): skip(past: ">")
        case UInt8(ascii: "/"):
            position += 1
            if let byte, Self.isLetter(byte) { readTag(opening: "</") } else { skip(past: ">") }
        case let first? where Self.isLetter(first): readTag(opening: "<")
        default: output += "&lt;".utf8
        }
    }

    private mutating func readTag(opening: String) {
        let name = read { !Self.isBlank($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") }
        guard let attributes = readAttributes() else { return }
        tags += 1
        let isName = name.allSatisfy { Self.isLetter($0) || 0x30...0x39 ~= $0 }
        guard isName, name.count <= 16 else { return }
        let tag = String(decoding: name, as: UTF8.self).lowercased()
        output += (opening + tag).utf8
        if opening == "<" { output += attributes }
        output.append(UInt8(ascii: ">"))
        guard opening == "<", ["script", "style"].contains(tag) else { return }
        while position < html.count, !html[position...].starts(with: "</".utf8) { position += 1 }
    }

    private mutating func read(while isRead: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        skip(while: isRead)
        return html[start..<position]
    }

    /// Reads the attributes of a tag and returns those to keep; `nil` for an incomplete tag.
    private mutating func readAttributes() -> [UInt8]? {
        var attributes: [UInt8] = []
        var names: Set<String> = []
        while true {
            skip { Self.isBlank($0) || $0 == UInt8(ascii: "/") }
            guard let byte else { return nil }
            guard byte != UInt8(ascii: ">") else {
                position += 1
                return attributes
            }
            let start = position
            position += 1
            skip { !Self.isBlank($0) && !"/>=".utf8.contains($0) }
            let name = html[start..<position]
            let value = readValue()
            guard let value, name.count <= 8 else { continue }
            let key = String(decoding: name, as: UTF8.self).lowercased()
            guard HTMLNode.attributes.contains(key), names.insert(key).inserted else { continue }
            attributes += " \(key)=\"".utf8
            for byte in value {
                if byte == UInt8(ascii: "\"") {
                    attributes += "&quot;".utf8
                } else {
                    attributes.append(byte)
                }
            }
            attributes.append(UInt8(ascii: "\""))
        }
    }

    /// Reads the value of an attribute; `nil` if it has none.
    private mutating func readValue() -> ArraySlice<UInt8>? {
        skip(while: Self.isBlank)
        guard byte == UInt8(ascii: "=") else { return nil }
        position += 1
        skip(while: Self.isBlank)
        guard let quote = byte, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            return read { !Self.isBlank($0) && $0 != UInt8(ascii: ">") }
        }
        position += 1
        let value = read { $0 != quote }
        position = min(position + 1, html.count)
        return value
    }
}
