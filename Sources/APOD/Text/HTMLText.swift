/// The text of an HTML fragment, split into lines at breaks.
struct HTMLText {
    /// The text between two breaks.
    struct Line {
        fileprivate(set) var text = ""
        /// The bold beginning of ``text``.
        fileprivate(set) var boldOpening = ""
        /// Whether more than one break precedes the line.
        let opensParagraph: Bool
        /// The index of the first node of the line.
        let node: Int

        /// Whether the line begins with the label "Explanation:" in bold.
        fileprivate var isExplanation: Bool {
            !boldOpening.isEmpty && HTMLText.unlabelled(text) != nil
        }

        /// Whether the line begins with a label in bold or with "Tomorrow's picture:".
        fileprivate var isNote: Bool {
            let beginning = TextNormalizer.line(String(text.prefix(40))).lowercased()
            if beginning.replacing("’", with: "'").hasPrefix("tomorrow's picture") { return true }
            let opening = TextNormalizer.line(boldOpening)
            guard let last = opening.last else { return false }
            if last == ":" || last == "." { return true }
            let rest = TextNormalizer.line(text).dropFirst(opening.count)
            return rest.drop(while: \.isWhitespace).first == ":"
        }
    }

    /// The elements that begin and end a paragraph.
    static let blocks: Set<String> = [
        "p", "div", "center", "ul", "ol", "li", "dl", "dt", "dd", "table", "tr", "hr", "pre",
        "blockquote", "h1", "h2", "h3", "h4", "h5", "h6",
    ]

    let lines: [Line]
    let nodes: [HTMLNode]

    init(_ nodes: [HTMLNode]) {
        var reader = LineReader()
        for (index, node) in nodes.enumerated() { reader.read(node, at: index) }
        lines = reader.lines
        self.nodes = nodes
    }

    /// The whole text in one line.
    var line: String {
        TextNormalizer.removingStraySpaces(
            TextNormalizer.line(lines.map(\.text).joined(separator: " ")))
    }

    /// The text from the line with the label "Explanation:", or from the start, to the first note.
    ///
    /// A note is a line that begins with another label, such as "Tomorrow's picture:".
    var explanation: String {
        var paragraphs: [String] = []
        for line in lines[explanationLines] {
            let unlabelled = paragraphs.isEmpty ? Self.unlabelled(line.text) : nil
            let text = TextNormalizer.line(unlabelled ?? line.text)
            if line.opensParagraph || paragraphs.isEmpty {
                paragraphs.append(text)
            } else {
                paragraphs[paragraphs.count - 1] += " " + text
            }
        }
        return paragraphs.map { TextNormalizer.removingStraySpaces(TextNormalizer.line($0)) }
            .filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    /// The indices of the nodes of ``explanation``, including its label.
    var explanationNodes: Range<Int> {
        let range = explanationLines
        guard !range.isEmpty else { return 0..<0 }
        let hasMore = range.upperBound < lines.count
        return lines[range.lowerBound].node..<(hasMore ? lines[range.upperBound].node : nodes.count)
    }

    private var explanationLines: Range<Int> {
        let start = lines.firstIndex(where: \.isExplanation) ?? 0
        let end = lines.dropFirst(start + 1).firstIndex(where: \.isNote) ?? lines.endIndex
        return start..<end
    }

    /// Returns `text` without the label "Explanation:"; `nil` if it has none.
    static func unlabelled(_ text: String) -> String? {
        let label = "explanation"
        let text = text.drop(while: \.isWhitespace)
        guard text.prefix(label.count).lowercased() == label else { return nil }
        let rest = text.dropFirst(label.count).drop(while: \.isWhitespace)
        return rest.first == ":" ? TextNormalizer.trimmed(rest.dropFirst()) : nil
    }
}

/// Splits the nodes of a fragment into lines.
private struct LineReader {
    private(set) var lines: [HTMLText.Line] = []
    /// The number of breaks since the last text; two begin a paragraph.
    private var breaks = 2
    /// The number of open elements that make text bold.
    private var bold = 0
    /// Whether all text of the last line is bold so far.
    private var isAllBold = true

    mutating func read(_ node: HTMLNode, at index: Int) {
        switch node {
        case .opening("b", _), .opening("strong", _): bold += 1
        case .closing("b"), .closing("strong"): bold -= 1
        case .opening("br", _): breaks += 1
        case .opening(let name, _), .closing(let name):
            if HTMLText.blocks.contains(name) { breaks = 2 }
        case .text(let text): read(text, at: index)
        }
    }

    private mutating func read(_ text: String, at index: Int) {
        let isBlank = TextNormalizer.isBlank(text)
        if breaks > 0 {
            guard !isBlank else { return }
            lines.append(HTMLText.Line(opensParagraph: breaks > 1, node: index))
            breaks = 0
            isAllBold = true
        }
        isAllBold = isAllBold && (bold > 0 || isBlank)
        lines[lines.count - 1].text += text
        if isAllBold { lines[lines.count - 1].boldOpening += text }
    }
}
