/// Rewrites HTML so that a parser meets only tags that end, with the few attributes that are read.
///
/// libxml2 compares each attribute of a tag with all before it, and thousands of them take seconds.
/// Tags are told from text as browsers do it: HTML Living Standard, section 13.2.5.
struct HTMLSanitizer {
    /// The most tags that a document may have.
    static let tagLimit = 10_000

    private let html: [UInt8]
    private var place = 0
    private var tags = 0
    private var output: [UInt8] = []

    private init(_ html: String) {
        // A NUL would end the text for the parser.
        self.html = html.utf8.filter { $0 >= 0x20 || Self.isBlank($0) }
        output.reserveCapacity(self.html.count)
    }

    /// The same document in plain markup, `nil` where it has more than ``tagLimit`` tags.
    static func sanitized(_ html: String) -> [UInt8]? {
        var sanitizer = Self(html)
        while let byte = sanitizer.byte {
            if byte == UInt8(ascii: "<") {
                sanitizer.readMarkup()
                guard sanitizer.tags <= tagLimit else { return nil }
            } else {
                sanitizer.output.append(byte)
                sanitizer.place += 1
            }
        }
        return sanitizer.output
    }

    private var byte: UInt8? { place < html.count ? html[place] : nil }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }

    private mutating func skip(while isSkipped: (UInt8) -> Bool) {
        while let byte, isSkipped(byte) { place += 1 }
    }

    /// Goes past the next `text`, or to the end.
    private mutating func skip(past text: String) {
        let text = Array(text.utf8)
        while place < html.count, !html[place...].starts(with: text) { place += 1 }
        place = min(place + text.count, html.count)
    }

    private mutating func readMarkup() {
        place += 1
        switch byte {
        case UInt8(ascii: "!") where html[place...].starts(with: "!--".utf8): skip(past: "-->")
        case UInt8(ascii: "!"), UInt8(ascii: "?"): skip(past: ">")
        case UInt8(ascii: "/"):
            place += 1
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
        while place < html.count, !html[place...].starts(with: "</".utf8) { place += 1 }
    }

    private mutating func read(while isRead: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = place
        skip(while: isRead)
        return html[start..<place]
    }

    /// The attributes that are read, as they are written; `nil` where the tag does not end.
    private mutating func readAttributes() -> [UInt8]? {
        var attributes: [UInt8] = []
        var names: Set<String> = []
        while true {
            skip { Self.isBlank($0) || $0 == UInt8(ascii: "/") }
            guard let byte else { return nil }
            guard byte != UInt8(ascii: ">") else {
                place += 1
                return attributes
            }
            let start = place
            place += 1
            skip { !Self.isBlank($0) && !"/>=".utf8.contains($0) }
            let name = html[start..<place]
            let value = readValue()
            guard let value, name.count <= 8 else { continue }
            let key = String(decoding: name, as: UTF8.self).lowercased()
            guard HTMLNode.attributes.contains(key), names.insert(key).inserted else { continue }
            attributes += " \(key)=\"".utf8
            attributes += value.flatMap { $0 == UInt8(ascii: "\"") ? Array("&quot;".utf8) : [$0] }
            attributes.append(UInt8(ascii: "\""))
        }
    }

    /// The value after the name of an attribute, `nil` where it has none.
    private mutating func readValue() -> ArraySlice<UInt8>? {
        skip(while: Self.isBlank)
        guard byte == UInt8(ascii: "=") else { return nil }
        place += 1
        skip(while: Self.isBlank)
        guard let quote = byte, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            return read { !Self.isBlank($0) && $0 != UInt8(ascii: ">") }
        }
        place += 1
        let value = read { $0 != quote }
        place = min(place + 1, html.count)
        return value
    }
}
