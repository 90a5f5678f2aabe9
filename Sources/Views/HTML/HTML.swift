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
        var offset = 0
        while offset < text.count {
            if offset == linkEnd { bytes += "</a>".utf8 }
            guard text[offset] != UInt8(ascii: "\n") else {
                lineFeeds += 1
                offset += 1
                continue
            }
            if isOpen, lineFeeds > 0 { bytes += (lineFeeds > 1 ? "</p>\n<p>" : "\n").utf8 }
            if !isOpen { bytes += "<p>".utf8 }
            (isOpen, lineFeeds) = (true, 0)
            if let link = rest.first, offset == link.range.lowerBound {
                rest.removeFirst()
                linkEnd = open(resolve(link.address)) ? link.range.upperBound : -1
            }
            // The text up to the next end or start of a link, or line feed.
            let ends = [linkEnd, rest.first?.range.lowerBound ?? text.count, text.count]
            let end = ends.filter { $0 > offset }.min() ?? text.count
            let run = text[offset..<end].prefix { $0 != UInt8(ascii: "\n") }
            append(escaping: run)
            offset = run.endIndex
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
        append(escaping: Array(text.utf8)[...])
    }

    private mutating func append(escaping text: ArraySlice<UInt8>) {
        // What needs no escape is appended in runs.
        var run = text.startIndex
        for index in text.indices {
            guard let escape = Self.escape(text[index]) else { continue }
            bytes += text[run..<index]
            bytes += escape.utf8
            run = index + 1
        }
        bytes += text[run...]
    }

    private static func escape(_ byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        // HTML allows no control characters; see "Preprocessing the input stream" in the HTML standard.
        case ..<0x20, 0x7F: " "
        default: nil
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
