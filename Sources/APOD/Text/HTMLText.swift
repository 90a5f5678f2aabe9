/// The text of an HTML fragment of NASA, split into lines at breaks; it finds the explanation between label and notes.
struct HTMLText {
    /// The text between two breaks, as it is in the HTML.
    struct Line {
        fileprivate(set) var text = ""
        /// The bold parts of ``text`` in order; the first is its beginning, empty if that is not bold.
        ///
        /// A part goes on over blanks between two bold elements.
        fileprivate(set) var boldParts = [""]
        /// Whether more than one break precedes the line.
        let opensParagraph: Bool
        /// The index of the first text of the line in ``HTMLText/nodes``; tags before it belong to the line, too.
        let firstText: Int

        private var boldOpening: String { boldParts[0] }

        /// Whether the line begins with the label "Explanation:" in bold.
        fileprivate var isExplanation: Bool {
            !boldOpening.isEmpty && HTMLText.removingExplanationLabel(text) != nil
        }

        /// Whether the line begins an unlabeled note, bold or not, or with a known label in bold: see ``NoteLabel``.
        ///
        /// Any other bold text may begin a paragraph of the explanation.
        fileprivate var isNote: Bool {
            if NoteLabel.beginsUnlabeledNote(text) { return true }
            let opening = TextNormalizer.line(boldOpening)
            guard !opening.isEmpty else { return false }
            // The colon is bold, too, or follows.
            if let colon = opening.firstIndex(of: ":") {
                return NoteLabel.isKnown(opening[..<colon])
            }
            let rest = TextNormalizer.line(text).dropFirst(opening.count)
            return rest.drop(while: \.isWhitespace).first == ":" && NoteLabel.isKnown(opening)
        }
    }

    /// The HTML elements that begin and end a paragraph.
    static let blocks: Set<String> = [
        "p", "div", "center", "ul", "ol", "li", "dl", "dt", "dd", "table", "tr", "hr", "pre",
        "blockquote", "h1", "h2", "h3", "h4", "h5", "h6",
    ]

    let lines: [Line]
    /// As they were parsed: ``lines`` have other characters for superscripts and subscripts.
    let nodes: [HTMLNode]

    init(_ nodes: [HTMLNode]) {
        var reader = LineReader()
        for (index, node) in nodes.withScriptCharacters.enumerated() {
            reader.read(node, at: index)
        }
        lines = reader.lines
        self.nodes = nodes
    }

    /// The whole text in one line.
    var line: String { Self.normalized(lines.map(\.text).joined(separator: " ")) }

    /// The label of the credit in an article, such as "Image Credit & Copyright": the first that begins a bold part.
    var creditLabel: String? {
        lines.lazy.flatMap(\.boldParts).compactMap { Credit(TextNormalizer.line($0)).label }.first
    }

    private static func normalized(_ text: String) -> String {
        TextNormalizer.removingStraySpaces(TextNormalizer.line(text))
    }

    /// The text from the line with the label "Explanation:", or from the start, to the first note.
    ///
    /// A note is a line that begins with another label, such as "Tomorrow's picture:".
    var explanation: String {
        var paragraphs: [String] = []
        for line in lines[explanationLines] {
            if paragraphs.isEmpty {
                paragraphs.append(Self.removingExplanationLabel(line.text) ?? line.text)
            } else if line.opensParagraph {
                paragraphs.append(line.text)
            } else {
                paragraphs[paragraphs.count - 1] += " " + line.text
            }
        }
        return paragraphs.map(Self.normalized).filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    /// The indices of the nodes of ``explanation``, including its label.
    ///
    /// Tags before its first text are left out, those before the first note are not: ``ExplanationMarkup`` balances
    /// them.
    var explanationNodes: Range<Int> {
        let range = explanationLines
        guard !range.isEmpty else { return 0..<0 }
        let hasMore = range.upperBound < lines.count
        let end = hasMore ? lines[range.upperBound].firstText : nodes.count
        return lines[range.lowerBound].firstText..<end
    }

    private var explanationLines: Range<Int> {
        let start = lines.firstIndex(where: \.isExplanation) ?? 0
        let end = lines.dropFirst(start + 1).firstIndex(where: \.isNote) ?? lines.endIndex
        return start..<end
    }

    /// Returns `text` without the label "Explanation:"; `nil` if it has none.
    static func removingExplanationLabel(_ text: String) -> String? {
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
    /// The number of breaks since the last text; two begin a paragraph, as the fragment does.
    private var breaks = 2
    /// The number of open elements that make text bold; ``HTMLDocument`` closes each element that it opens.
    private var bold = 0
    /// Whether the last line ends in a bold part so far; one begins with the line.
    private var isInBoldPart = true

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
            lines.append(HTMLText.Line(opensParagraph: breaks > 1, firstText: index))
            breaks = 0
            isInBoldPart = true
        }
        let last = lines.count - 1
        if !isInBoldPart, bold > 0, !isBlank {
            lines[last].boldParts.append("")
            isInBoldPart = true
        }
        isInBoldPart = isInBoldPart && (bold > 0 || isBlank)
        lines[last].text += text
        if isInBoldPart { lines[last].boldParts[lines[last].boldParts.count - 1] += text }
    }
}
