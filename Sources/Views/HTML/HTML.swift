internal import APOD
internal import Platform

/// HTML made of literals; interpolated text is escaped.
///
/// So foreign text is shown and never interpreted: only values of this type are inserted unchanged.
struct HTML: Sendable, ExpressibleByStringInterpolation {
    private(set) var bytes: [UInt8] = []

    init(stringLiteral literal: String) { bytes = Array(literal.utf8) }

    init(stringInterpolation interpolation: Interpolation) {
        bytes = interpolation.html.bytes
    }

    /// Creates paragraphs from `text`, which blank lines separate.
    ///
    /// `resolve` returns where a link leads to: a page of the gallery, or a web server; `nil` for one that is not included.
    init(
        paragraphs text: String, links: [TextLink], resolve: (String) -> String? = \.webURL
    ) {
        let text = Array(text.utf8)
        var rest = links[...]
        var (isOpen, lineFeeds, linkEnd) = (false, 0, -1)
        for (offset, byte) in text.enumerated() {
            if offset == linkEnd { bytes += "</a>".utf8 }
            guard byte != UInt8(ascii: "\n") else {
                lineFeeds += 1
                continue
            }
            if isOpen, lineFeeds > 0 { bytes += (lineFeeds > 1 ? "</p>\n<p>" : "\n").utf8 }
            if !isOpen { bytes += "<p>".utf8 }
            (isOpen, lineFeeds) = (true, 0)
            if let link = rest.first, offset == link.range.lowerBound {
                rest.removeFirst()
                linkEnd = open(resolve(link.address)) ? link.range.upperBound : -1
            }
            append(escaping: byte)
        }
        if linkEnd == text.count { bytes += "</a>".utf8 }
        if isOpen { bytes += "</p>\n".utf8 }
    }

    /// Opens a link; returns false without an address.
    private mutating func open(_ address: String?) -> Bool {
        guard let address else { return false }
        append("<a href=\"")
        append(escaping: address)
        append(address.webURL == nil ? "\">" : "\" rel=\"noopener noreferrer\">")
        return true
    }

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
        // HTML allows no control characters; see "Preprocessing the input stream" in the HTML standard.
        case ..<0x20, 0x7F: bytes.append(UInt8(ascii: " "))
        default: bytes.append(byte)
        }
    }
}

extension HTML {
    /// Builds HTML from an interpolated literal.
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
        /// Inserts nothing for `nil`.
        mutating func appendInterpolation(_ markup: HTML?) {
            if let markup { html += markup }
        }
        mutating func appendInterpolation(_ list: [HTML]) {
            for markup in list { html += markup }
        }
    }
}

extension String {
    /// The path as a relative link; see RFC 3986, section 4.2.
    var percentEncodedPath: String { percentEncoded(keeping: "-._~/") }
}
