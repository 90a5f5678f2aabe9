internal import Platform

/// Writes ``Entry/explanationHTML``, which is safe to show: text, links, emphasis and line breaks.
///
/// Text is escaped, tags are balanced, and everything else in NASA's HTML is left out.
struct ExplanationMarkup {
    private static let inlineElements: Set<String> = [
        "a", "b", "strong", "i", "em", "sub", "sup", "u", "s", "tt", "code", "small",
    ]

    private let resolve: (String) -> String?
    private var html = ""
    /// The open elements with their opening tags, the innermost last.
    private var open: [(name: String, tag: String)] = []
    /// The line breaks that are written before the next text or tag.
    private var breaks = 0
    /// The end of the last text in ``html``, in bytes, and the names of the elements that are open there.
    ///
    /// ``skip(_:)`` and the end of the explanation go back to it, so that tags without text after them are dropped.
    private var textEnd = (offset: 0, open: [String]())

    /// Returns the HTML of an explanation without notes; empty if it has no text.
    ///
    /// `resolve` returns the absolute URL of a link; `nil` if it is not a web URL.
    static func html(of text: HTMLText, resolve: @escaping (String) -> String?) -> String {
        var markup = Self(resolve: resolve)
        let ranges = text.explanationNodes
        // Of what is before the explanation, only the elements that are open at its beginning continue.
        for node in text.nodes[..<(ranges.first?.lowerBound ?? 0)] { markup.write(node) }
        markup.html = markup.open.map(\.tag).joined()
        markup.breaks = 0
        markup.textEnd = (0, [])
        for (index, range) in ranges.enumerated() {
            if index > 0 {
                markup.skip(text.nodes[ranges[index - 1].upperBound..<range.lowerBound])
            }
            for node in text.nodes[range] { markup.write(node) }
        }
        let html = String(decoding: markup.html.utf8.prefix(markup.textEnd.offset), as: UTF8.self)
        return html + markup.textEnd.open.reversed().map { "</\($0)>" }.joined()
    }

    /// Leaves out the nodes of a note, and the tags that were opened for it before its first text.
    ///
    /// Elements that are opened after the last text of the note belong to the paragraph that follows.
    private mutating func skip(_ note: ArraySlice<HTMLNode>) {
        let sharedCount = zip(open, textEnd.open).prefix { $0.name == $1 }.count
        html =
            String(decoding: html.utf8.prefix(textEnd.offset), as: UTF8.self)
            + textEnd.open[sharedCount...].reversed().map { "</\($0)>" }.joined()
        var openInNote = open[sharedCount...].map(\.name)
        open.removeSubrange(sharedCount...)
        breaks = 2
        let end = note.lastIndex { !TextNormalizer.isBlank($0.plainText) } ?? note.startIndex
        for (index, node) in zip(note.indices, note) {
            switch node {
            case .text: break
            case .opening where index > end: write(node)
            case .opening(let name, _):
                if Self.inlineElements.contains(name) { openInNote.append(name) }
            case .closing(let name):
                if let index = openInNote.lastIndex(of: name) {
                    openInNote.removeSubrange(index...)
                } else {
                    close(name)
                }
            }
        }
    }

    private mutating func write(_ node: HTMLNode) {
        switch node {
        case .text(let text): write(text)
        case .opening("br", _): breaks += 1
        case .opening("a", let attributes):
            // HTML has no link in a link.
            guard !open.contains(where: { $0.name == "a" }),
                let link = attributes["href"].flatMap(resolve)
            else { return }
            write(tag: "<a href=\"\(link.htmlEscaped)\">", of: "a")
        case .opening(let name, _) where Self.inlineElements.contains(name):
            write(tag: "<\(name)>", of: name)
        case .closing(let name) where Self.inlineElements.contains(name): close(name)
        case .closing("br"): break
        case .opening(let name, _), .closing(let name):
            // Paragraphs are separated by a blank line: two breaks.
            breaks = max(breaks, HTMLText.breaks(ofTag: name))
        }
    }

    /// Closes the innermost open element with that name, and all elements in it.
    private mutating func close(_ name: String) {
        guard open.contains(where: { $0.name == name }) else { return }
        while let last = open.popLast() {
            html += "</\(last.name)>"
            if last.name == name { break }
        }
    }

    private mutating func write(_ text: String) {
        if TextNormalizer.isBlank(text) {
            if breaks == 0 { html += text }
            return
        }
        writeBreaks()
        html += text.htmlEscaped
        textEnd = (html.utf8.count, open.map(\.name))
    }

    private mutating func write(tag: String, of name: String) {
        writeBreaks()
        html += tag
        open.append((name, tag))
    }

    private mutating func writeBreaks() {
        if textEnd.offset > 0 { html += String(repeating: "<br>", count: min(breaks, 2)) }
        breaks = 0
    }
}
