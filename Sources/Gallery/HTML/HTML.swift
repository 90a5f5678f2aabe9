internal import APOD

/// Markup that is made of literals; text that is put into it is escaped.
///
/// So what NASA writes is shown and never run: only markup goes into markup as it is.
struct HTML: Sendable, ExpressibleByStringInterpolation {
    private(set) var bytes: [UInt8] = []

    init(stringLiteral literal: String) { bytes = Array(literal.utf8) }

    init(stringInterpolation interpolation: Interpolation) { bytes = interpolation.html.bytes }

    /// `text` as paragraphs, which it has apart by blank lines; links lead to web servers and nowhere else.
    init(paragraphs text: String, links: [TextLink] = []) {
        let text = Array(text.utf8)
        var rest = links[...]
        var (isOpen, feeds, linkEnd) = (false, 0, -1)
        for (place, byte) in text.enumerated() {
            if place == linkEnd { bytes += "</a>".utf8 }
            guard byte != UInt8(ascii: "\n") else {
                feeds += 1
                continue
            }
            if isOpen, feeds > 0 { bytes += (feeds > 1 ? "</p>\n<p>" : "\n").utf8 }
            if !isOpen { bytes += "<p>".utf8 }
            (isOpen, feeds) = (true, 0)
            if let link = rest.first, place == link.range.lowerBound {
                rest.removeFirst()
                linkEnd = open(link) ? link.range.upperBound : -1
            }
            append(escaping: byte)
        }
        if linkEnd == text.count { bytes += "</a>".utf8 }
        if isOpen { bytes += "</p>\n".utf8 }
    }

    /// - Returns: Whether it leads to a web server.
    private mutating func open(_ link: TextLink) -> Bool {
        guard let address = link.address.asWebAddress else { return false }
        append("<a href=\"")
        append(escaping: address)
        append("\" rel=\"noopener noreferrer\">")
        return true
    }

    /// Makes room for so many bytes in all.
    mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

    static func += (html: inout HTML, other: HTML) { html.bytes += other.bytes }

    fileprivate mutating func append(_ literal: String) { bytes += literal.utf8 }

    fileprivate mutating func append(escaping text: String) {
        for byte in text.utf8 { append(escaping: byte) }
    }

    private mutating func append(escaping byte: UInt8) {
        switch byte {
        case UInt8(ascii: "&"): bytes += "&amp;".utf8
        case UInt8(ascii: "<"): bytes += "&lt;".utf8
        case UInt8(ascii: ">"): bytes += "&gt;".utf8
        case UInt8(ascii: "\""): bytes += "&quot;".utf8
        case UInt8(ascii: "'"): bytes += "&#39;".utf8
        // A page may have no control characters; see "Preprocessing the input stream" in HTML.
        case ..<0x20, 0x7F: bytes.append(UInt8(ascii: " "))
        default: bytes.append(byte)
        }
    }
}

extension HTML {
    /// What a literal with values in it becomes.
    struct Interpolation: StringInterpolationProtocol {
        fileprivate var html: HTML = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            html.bytes.reserveCapacity(literalCapacity + 40 * interpolationCount)
        }

        mutating func appendLiteral(_ literal: String) { html.append(literal) }
        mutating func appendInterpolation(_ text: String) { html.append(escaping: text) }
        mutating func appendInterpolation(_ number: Int) { html.append(String(number)) }
        mutating func appendInterpolation(_ day: Day) { html.append(day.description) }
        mutating func appendInterpolation(_ markup: HTML) { html += markup }
        /// `nil` is nothing.
        mutating func appendInterpolation(_ markup: HTML?) { if let markup { html += markup } }
        mutating func appendInterpolation(_ list: [HTML]) { for markup in list { html += markup } }
    }
}
