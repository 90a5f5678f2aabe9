internal import Platform

/// Writes the explanation of a day as HTML that is safe to show in a page of the gallery and in feeds.
///
/// Only text, links, emphasis and line breaks of NASA's HTML are kept. Text is escaped, and each tag is closed. Notes such as
/// “Gallery: …” are left out, even if an element begins in a paragraph and ends in a note: `<i>A star.<p>Gallery: more</i>`
/// becomes `<i>A star.</i>`.
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
    private var html = ""
    /// The elements that are open at the end of ``html``, the innermost last.
    private var openElements: [OpenElement] = []
    /// The number of line breaks to write before the next text or tag.
    private var pendingBreaks = 0
    /// The state at the end of the last text: the bytes of ``html``, whose other tags are dropped if no text follows.
    private var lastText = (length: 0, openElements: [OpenElement]())

    /// Returns the HTML of an explanation without notes; empty if it has no text.
    ///
    /// `resolve` returns the absolute URL of a link; `nil` if it is not a web URL.
    static func html(of text: HTMLText, resolve: @escaping (String) -> String?) -> String {
        let paragraphs = text.explanationNodes
        var end = paragraphs.first?.lowerBound ?? 0
        var beginning = Self(resolve: resolve)
        for node in text.nodes[..<end] { beginning.write(node) }
        // What is before the explanation is dropped, but elements that are still open there are opened again.
        let opened = beginning.openElements
        var markup = Self(
            resolve: resolve, html: opened.map(\.tag).joined(), openElements: opened)
        for paragraph in paragraphs {
            let note = text.nodes[end..<paragraph.lowerBound]
            if !note.isEmpty { markup.skip(note) }
            for node in text.nodes[paragraph] { markup.write(node) }
            end = paragraph.upperBound
        }
        return markup.htmlToLastText + closingTags(of: markup.lastText.openElements[...])
    }

    private var htmlToLastText: String {
        String(decoding: html.utf8.prefix(lastText.length), as: UTF8.self)
    }

    private static func closingTags(of elements: ArraySlice<OpenElement>) -> String {
        elements.reversed().map { "</\($0.name)>" }.joined()
    }

    /// Leaves out `note`, and the tags that were opened for it before its first text.
    ///
    /// Elements that are opened after the last text of the note belong to the paragraph after the note.
    private mutating func skip(_ note: ArraySlice<HTMLNode>) {
        var openInNote = cutToLastText()
        pendingBreaks = 2
        let lastText = note.lastIndex { !TextNormalizer.isBlank($0.plainText) } ?? note.startIndex
        for (index, node) in zip(note.indices, note) {
            switch node {
            case .text: break
            case .opening(let name, _):
                let isAfterText = index > lastText
                if isAfterText {
                    write(node)
                } else if Self.inlineElements.contains(name) {
                    openInNote.append(name)
                }
            case .closing(let name):
                if let outermost = openInNote.lastIndex(of: name) {
                    openInNote.removeSubrange(outermost...)
                } else {
                    close(name)
                }
            }
        }
    }

    /// Drops the tags after the last text, and closes the elements of this text that have ended since then.
    ///
    /// Returns the names of the other elements that were open, from which the note after the text takes over.
    private mutating func cutToLastText() -> [String] {
        // The outer elements that contain both the last text and the end stay open.
        let sharedCount = zip(openElements, lastText.openElements).prefix { $0.name == $1.name }
            .count
        html = htmlToLastText + Self.closingTags(of: lastText.openElements[sharedCount...])
        defer { openElements.removeSubrange(sharedCount...) }
        return openElements[sharedCount...].map(\.name)
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
        lastText = (html.utf8.count, openElements)
    }

    private mutating func open(_ element: OpenElement) {
        writePendingBreaks()
        html += element.tag
        openElements.append(element)
    }

    /// Writes the breaks, at most two, unless no text was written before.
    private mutating func writePendingBreaks() {
        if lastText.length > 0 { html += String(repeating: "<br>", count: min(pendingBreaks, 2)) }
        pendingBreaks = 0
    }
}
