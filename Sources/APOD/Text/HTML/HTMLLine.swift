/// A line of the text of NASA's HTML: what is between two places at which a browser breaks the line.
///
/// ``HTMLText`` finds the explanation and its notes by lines, and by the words that are bold in them.
struct HTMLLine {
    /// The text as it is in the HTML.
    fileprivate(set) var text = ""
    /// The bold parts of ``text``, in order; blanks between two bold elements do not end a part.
    fileprivate(set) var boldParts: [String] = []
    /// Whether ``text`` begins with the first one of ``boldParts``.
    let beginsInBold: Bool
    /// Whether a blank line is before the line.
    let beginsParagraph: Bool
    /// The index of the first text of the line among the nodes from which the lines were read.
    let firstTextIndex: Int

    /// The bold beginning of ``text``; empty if the text does not begin in bold.
    var boldOpening: String { beginsInBold ? boldParts[0] : "" }

    /// Returns the lines of `nodes`; none of them is blank.
    static func all(in nodes: [HTMLNode]) -> [HTMLLine] {
        var reader = LineReader()
        for (index, node) in nodes.enumerated() { reader.read(node, at: index) }
        return reader.lines
    }
}

/// Splits nodes, which are passed to it one after the other, into lines.
private struct LineReader {
    private(set) var lines: [HTMLLine] = []
    /// The number of breaks since the last text; at the start, a paragraph begins.
    private var breaks = HTMLNode.breaksOfParagraph
    /// The number of open elements that make text bold; ``HTMLDocument`` closes each element that it opens.
    private var boldDepth = 0
    /// Whether the next text in bold continues the last bold part of the last line.
    private var isInBoldPart = false

    mutating func read(_ node: HTMLNode, at index: Int) {
        switch node {
        case .opening("b", _), .opening("strong", _): boldDepth += 1
        case .closing("b"), .closing("strong"): boldDepth -= 1
        case .opening("br", _): breaks += 1
        case .closing("br"): break
        case .opening(let name, _), .closing(let name):
            breaks = max(breaks, HTMLNode.breaks(ofTag: name))
        case .text(let text): read(text: text, at: index)
        }
    }

    private mutating func read(text: String, at index: Int) {
        let isBlank = TextNormalizer.isBlank(text)
        if breaks > 0 {
            if isBlank { return }
            let beginsParagraph = breaks >= HTMLNode.breaksOfParagraph
            lines.append(
                HTMLLine(
                    beginsInBold: boldDepth > 0, beginsParagraph: beginsParagraph,
                    firstTextIndex: index))
            breaks = 0
            isInBoldPart = false
        }
        let line = lines.count - 1
        // A blank belongs to the part that it follows.
        if !isBlank {
            if boldDepth > 0, !isInBoldPart { lines[line].boldParts.append("") }
            isInBoldPart = boldDepth > 0
        }
        lines[line].text += text
        if isInBoldPart { lines[line].boldParts[lines[line].boldParts.count - 1] += text }
    }
}
