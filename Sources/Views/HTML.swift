internal import APOD
internal import Platform

/// HTML made of literals, in which interpolated text is escaped; the feeds use it for XML.
///
/// `"<b>\(title)</b>"` with the title `R&D <1>` is `<b>R&amp;D &lt;1&gt;</b>`. Only literals and values of this type are
/// inserted unchanged, so that foreign text is never interpreted as markup. Control characters of text become blanks.
struct HTML: Sendable, ExpressibleByStringInterpolation {
    private(set) var bytes: [UInt8] = []

    init(stringLiteral literal: String) { bytes = Array(literal.utf8) }

    init(stringInterpolation interpolation: Interpolation) {
        bytes = interpolation.html.bytes
    }

    /// Markup that is not escaped: `part` of a page, which this type made now or in an earlier update.
    init(page part: [UInt8]) { bytes = part }

    /// Creates a `<p>` for each paragraph of `text`; blank lines separate paragraphs.
    ///
    /// `links` are in ascending order, disjoint, not empty, and each in one line, as ``TextLink/all(in:from:)`` finds them.
    /// `resolve` returns the address of a link, a page of the gallery or of the web; `nil` shows the text without a link. It must
    /// never return a script, because the address is not checked here.
    init(
        paragraphs text: String, links: [TextLink], resolve: (String) -> String? = \.encodedWebLink
    ) {
        var rest = links[...]
        var isInParagraph = false
        let lineFeed = UInt8(ascii: "\n")
        for line in Array(text.utf8).split(separator: lineFeed, omittingEmptySubsequences: false) {
            guard !line.isEmpty else {
                if isInParagraph { append(markup: "</p>\n") }
                isInParagraph = false
                continue
            }
            append(markup: isInParagraph ? "\n" : "<p>")
            isInParagraph = true
            let linksOfLine = rest.prefix { $0.range.lowerBound < line.endIndex }
            rest = rest.dropFirst(linksOfLine.count)
            append(line, with: linksOfLine, resolve)
        }
        if isInParagraph { append(markup: "</p>\n") }
    }

    private mutating func append(
        _ line: ArraySlice<UInt8>, with links: ArraySlice<TextLink>,
        _ resolve: (String) -> String?
    ) {
        var offset = line.startIndex
        for link in links {
            append(escaping: line[offset..<link.range.lowerBound])
            let text = line[link.range]
            if let address = resolve(link.address) {
                appendLink(to: address, text)
            } else {
                append(escaping: text)
            }
            offset = link.range.upperBound
        }
        append(escaping: line[offset...])
    }

    /// Appends a link; a page on the web does not learn that the gallery links to it.
    private mutating func appendLink(to address: String, _ text: ArraySlice<UInt8>) {
        append(markup: "<a href=\"")
        append(escaping: address)
        // The addresses of pages of the gallery are relative.
        let isOnWeb = address.utf8.contains(UInt8(ascii: ":"))
        append(markup: isOnWeb ? "\" rel=\"noopener noreferrer\">" : "\">")
        append(escaping: text)
        append(markup: "</a>")
    }

    mutating func reserveBytes(_ count: Int) { bytes.reserveCapacity(count) }

    static func += (html: inout HTML, other: HTML) { html.bytes += other.bytes }

    fileprivate mutating func append(markup: String) { bytes += markup.utf8 }

    fileprivate mutating func append(escaping text: String) {
        if text.utf8.contains(where: { Self.escape($0) != nil }) {
            append(escaping: Array(text.utf8)[...])
        } else {
            // Most texts need no escape, and no copy.
            bytes += text.utf8
        }
    }

    private mutating func append(escaping text: ArraySlice<UInt8>) {
        // Bytes without an escape are appended together.
        var unappended = text.startIndex
        for index in text.indices {
            guard let escape = Self.escape(text[index]) else { continue }
            bytes += text[unappended..<index]
            bytes += escape.utf8
            unappended = index + 1
        }
        bytes += text[unappended...]
    }

    /// The escape of a byte; `nil` if it needs none.
    ///
    /// Unlike `String.htmlEscaped`, which is for the texts of records, this escapes apostrophes and control characters, too.
    private static func escape(_ byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        // HTML forbids most control characters, see "Preprocessing the input stream" in the HTML standard.
        case ..<0x20, 0x7F: " "
        default: nil
        }
    }
}

extension HTML {
    struct Interpolation: StringInterpolationProtocol {
        fileprivate var html: HTML = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            let typicalLength = 40
            html.bytes.reserveCapacity(literalCapacity + typicalLength * interpolationCount)
        }

        mutating func appendLiteral(_ literal: String) { html.append(markup: literal) }
        mutating func appendInterpolation(_ text: String) { html.append(escaping: text) }
        mutating func appendInterpolation(_ number: Int) { html.append(markup: String(number)) }
        mutating func appendInterpolation(_ day: Day) { html.append(markup: day.description) }
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
