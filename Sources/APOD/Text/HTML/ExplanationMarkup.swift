internal import Platform

/// Writes the explanation of a day as HTML that is safe to show in a page of the gallery and in feeds.
///
/// Only text, links, emphasis and line breaks of NASA's HTML are kept. Text is escaped, and each tag is closed.
struct ExplanationMarkup {
    private static let inlineElements: Set<String> = [
        "a", "b", "strong", "i", "em", "sub", "sup", "u", "s", "tt", "code", "small",
    ]

    private struct OpenElement {
        let name: String
        /// The opening tag as it was written, with its attributes.
        let tag: String
    }

    private let resolve: (String) -> String?
    /// What was written so far.
    private var html = ""
    /// The elements that are open at the end of ``html``, the innermost last.
    private var openElements: [OpenElement] = []
    /// The number of line breaks to write before the next text or tag.
    private var pendingBreaks = 0
    /// The length of ``html`` up to its last text, in bytes; the tags after it are dropped if no text follows them.
    private var lengthToLastText = 0
    /// The names of the elements that are open at the end of the last text.
    private var openAtLastText: [String] = []

    /// Returns the HTML of an explanation without notes such as “Gallery: …”; empty if it has no text.
    ///
    /// `resolve` returns the absolute URL of a link; `nil` if it is not a web URL.
    static func html(of text: HTMLText, resolve: @escaping (String) -> String?) -> String {
        let ranges = text.explanationNodes
        var beginning = Self(resolve: resolve)
        for node in text.nodes[..<(ranges.first?.lowerBound ?? 0)] { beginning.write(node) }
        // What is before the explanation is dropped, but elements that are still open there are opened again.
        let opened = beginning.openElements
        var markup = Self(
            resolve: resolve, html: opened.map(\.tag).joined(), openElements: opened)
        for (index, range) in ranges.enumerated() {
            if index > 0 {
                markup.skip(text.nodes[ranges[index - 1].upperBound..<range.lowerBound])
            }
            for node in text.nodes[range] { markup.write(node) }
        }
        return markup.htmlToLastText + closingTags(of: markup.openAtLastText[...])
    }

    private var htmlToLastText: String {
        String(decoding: html.utf8.prefix(lengthToLastText), as: UTF8.self)
    }

    private static func closingTags(of names: ArraySlice<String>) -> String {
        names.reversed().map { "</\($0)>" }.joined()
    }

    /// Leaves out `note`, and the tags that were opened for it before its first text.
    ///
    /// Elements that are opened after the last text of the note belong to the paragraph after the note.
    private mutating func skip(_ note: ArraySlice<HTMLNode>) {
        // The outer elements that contain both the text before the note and the note stay open.
        let sharedCount = zip(openElements, openAtLastText).prefix { $0.name == $1 }.count
        html = htmlToLastText + Self.closingTags(of: openAtLastText[sharedCount...])
        var openInNote = openElements[sharedCount...].map(\.name)
        openElements.removeSubrange(sharedCount...)
        pendingBreaks = 2
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
        case .opening("br", _): pendingBreaks += 1
        case .opening("a", let attributes):
            // HTML has no link in a link.
            guard !openElements.contains(where: { $0.name == "a" }),
                let link = attributes["href"].flatMap(resolve)
            else { return }
            open(OpenElement(name: "a", tag: "<a href=\"\(link.htmlEscaped)\">"))
        case .opening(let name, _) where Self.inlineElements.contains(name):
            open(OpenElement(name: name, tag: "<\(name)>"))
        case .closing(let name) where Self.inlineElements.contains(name): close(name)
        case .closing("br"): break
        case .opening(let name, _), .closing(let name):
            // Paragraphs are separated by a blank line: two breaks.
            pendingBreaks = max(pendingBreaks, HTMLText.breaks(ofTag: name))
        }
    }

    /// Closes the innermost open element with that name, and all elements in it.
    private mutating func close(_ name: String) {
        guard openElements.contains(where: { $0.name == name }) else { return }
        while let last = openElements.popLast() {
            html += "</\(last.name)>"
            if last.name == name { break }
        }
    }

    private mutating func write(_ text: String) {
        if TextNormalizer.isBlank(text) {
            if pendingBreaks == 0 { html += text }
            return
        }
        writePendingBreaks()
        html += text.htmlEscaped
        lengthToLastText = html.utf8.count
        openAtLastText = openElements.map(\.name)
    }

    private mutating func open(_ element: OpenElement) {
        writePendingBreaks()
        html += element.tag
        openElements.append(element)
    }

    /// Writes the breaks, at most two, unless no text was written before.
    private mutating func writePendingBreaks() {
        if lengthToLastText > 0 { html += String(repeating: "<br>", count: min(pendingBreaks, 2)) }
        pendingBreaks = 0
    }
}
