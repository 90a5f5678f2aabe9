internal import Platform

/// Writes the explanation of a day as HTML that is safe to show in a page of the gallery and in feeds.
///
/// Only text, links, emphasis and line breaks of NASA's HTML are kept. Text is escaped, and each tag is closed.
///
/// Notes such as “Gallery: …” are left out, even if an element overlaps a note:
/// - `<i>A star.<p>Gallery: more</i>` becomes `<i>A star.</i>`, because the element begins before the note.
/// - `<b>Poll:</b> more<p><i>A moon.</i>` becomes `<i>A moon.</i>`, because it begins after the last text of the note.
///
/// A tag is written at once, although only a note may follow it. Therefore a ``Checkpoint`` remembers the end of the last
/// text. If a note or the end of the explanation follows, the tags after the checkpoint are dropped.
struct ExplanationMarkup {
    private struct OpenElement {
        let name: String
        /// The opening tag as it was written, with its attributes.
        let tag: String
    }

    /// The state after a text was written, to which the writer returns if only tags follow.
    private struct Checkpoint {
        /// The length of ``html`` in bytes.
        var length = 0
        var openElements: [OpenElement] = []
    }

    private static let inlineElements: Set<String> = [
        "a", "b", "strong", "i", "em", "sub", "sup", "u", "s", "tt", "code", "small",
    ]

    private let resolve: (String) -> String?
    private var html = ""
    /// The elements that are open at the end of ``html``, the innermost last.
    private var openElements: [OpenElement] = []
    /// The number of line breaks to write before the next text or tag.
    private var pendingBreaks = 0
    private var lastText = Checkpoint()

    private init(resolve: @escaping (String) -> String?) { self.resolve = resolve }

    /// Returns the HTML of the explanation in `text`, without notes; empty if there is no explanation.
    ///
    /// `resolve` returns the absolute URL of a link; `nil` if it is not a web URL.
    static func html(of text: HTMLText, resolve: @escaping (String) -> String?) -> String {
        let ranges = text.explanationNodes
        guard var end = ranges.first?.lowerBound else { return "" }
        var markup = Self(resolve: resolve)
        markup.writeOpenTags(of: text.nodes[..<end])
        for range in ranges {
            let note = text.nodes[end..<range.lowerBound]
            if !note.isEmpty { markup.skip(note: note) }
            for node in text.nodes[range] { markup.write(node) }
            end = range.upperBound
        }
        return markup.htmlToLastText + closingTags(of: markup.lastText.openElements[...])
    }

    // MARK: Parts that are left out

    /// Writes only the tags of those elements that begin in `nodes`, before the explanation, and end in the explanation.
    private mutating func writeOpenTags(of nodes: ArraySlice<HTMLNode>) {
        for node in nodes { write(node) }
        html = openElements.map(\.tag).joined()
        pendingBreaks = 0
        lastText = Checkpoint()
    }

    /// Leaves out `note`, and the tags before it that were opened for it.
    ///
    /// Elements that begin after the last text of the note belong to the paragraph after the note.
    private mutating func skip(note: ArraySlice<HTMLNode>) {
        /// The names of elements that are open in NASA's HTML, but whose tags are left out.
        var droppedElements = returnToLastText()
        pendingBreaks = HTMLNode.breaksOfParagraph
        let indexOfLastText =
            note.lastIndex { !TextNormalizer.isBlank($0.plainText) } ?? note.startIndex
        for (index, node) in zip(note.indices, note) {
            switch node {
            case .text: break
            case .opening where index > indexOfLastText: write(node)
            case .opening(let name, _):
                if Self.inlineElements.contains(name) { droppedElements.append(name) }
            case .closing(let name):
                if let dropped = droppedElements.lastIndex(of: name) {
                    droppedElements.removeSubrange(dropped...)
                } else {
                    close(name)
                }
            }
        }
    }

    /// Drops the tags after the last text, and closes the elements of this text that have ended since then.
    ///
    /// - Returns: The names of the elements that have begun since then and are still open.
    private mutating func returnToLastText() -> [String] {
        // The outer elements that contain both the last text and the end stay open.
        let sharedCount = zip(openElements, lastText.openElements).prefix { $0.name == $1.name }
            .count
        let droppedElements = openElements[sharedCount...].map(\.name)
        html = htmlToLastText + Self.closingTags(of: lastText.openElements[sharedCount...])
        openElements.removeSubrange(sharedCount...)
        return droppedElements
    }

    private var htmlToLastText: String {
        String(decoding: html.utf8.prefix(lastText.length), as: UTF8.self)
    }

    private static func closingTags(of elements: ArraySlice<OpenElement>) -> String {
        elements.reversed().map { "</\($0.name)>" }.joined()
    }

    // MARK: Writing

    private mutating func write(_ node: HTMLNode) {
        switch node {
        case .text(let text): write(text: text)
        case .opening("a", let attributes): openLink(to: attributes["href"])
        case .opening(let name, _) where Self.inlineElements.contains(name):
            open(OpenElement(name: name, tag: "<\(name)>"))
        case .closing(let name) where Self.inlineElements.contains(name): close(name)
        case .opening("br", _): pendingBreaks += 1
        case .closing("br"): break
        case .opening(let name, _), .closing(let name):
            pendingBreaks = max(pendingBreaks, HTMLNode.breaks(ofTag: name))
        }
    }

    private mutating func write(text: String) {
        if TextNormalizer.isBlank(text) {
            // Next to a break, white space is not shown. It contains nothing to escape.
            if pendingBreaks == 0 { html += text }
            return
        }
        writePendingBreaks()
        html += text.htmlEscaped
        lastText = Checkpoint(length: html.utf8.count, openElements: openElements)
    }

    /// Opens a link, unless it is in another one, which HTML forbids, or has no web URL.
    private mutating func openLink(to address: String?) {
        guard !openElements.contains(where: { $0.name == "a" }),
            let url = address.flatMap(resolve)
        else { return }
        open(OpenElement(name: "a", tag: "<a href=\"\(url.htmlEscaped)\">"))
    }

    private mutating func open(_ element: OpenElement) {
        writePendingBreaks()
        html += element.tag
        openElements.append(element)
    }

    /// Closes the innermost open element with that name, and all elements in it.
    private mutating func close(_ name: String) {
        guard openElements.contains(where: { $0.name == name }) else { return }
        while let last = openElements.popLast() {
            html += "</\(last.name)>"
            if last.name == name { break }
        }
    }

    /// Writes the breaks, at most those of a paragraph, unless no text was written before.
    private mutating func writePendingBreaks() {
        if lastText.length > 0 {
            let count = min(pendingBreaks, HTMLNode.breaksOfParagraph)
            html += String(repeating: "<br>", count: count)
        }
        pendingBreaks = 0
    }
}
