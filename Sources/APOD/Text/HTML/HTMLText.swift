/// The text of NASA's HTML, split into lines where a browser breaks the line, to find the explanation in it.
///
/// The explanation follows a label in bold, "Explanation:". Notes such as "Gallery: more pictures" may follow or interrupt it.
struct HTMLText {
    /// The text between two breaks, as it is in the HTML.
    struct Line {
        fileprivate(set) var text = ""
        /// The bold parts of ``text``, in order; the first is the bold beginning of the text, which may be empty.
        ///
        /// Blanks between two bold elements do not end a part.
        fileprivate(set) var boldParts = [""]
        /// Whether the line begins a paragraph: more than one break is before it.
        let opensParagraph: Bool
        /// The index in ``HTMLText/nodes`` of the first text of the line.
        let firstText: Int

        private var boldOpening: String { boldParts[0] }

        /// Whether the line begins with the label "Explanation:" in bold.
        fileprivate var isExplanation: Bool {
            !boldOpening.isEmpty && HTMLText.removingExplanationLabel(text) != nil
        }

        /// The kind of the note that begins with the line; `nil` if the line begins no note.
        fileprivate var noteKind: NoteLabel.Kind? {
            NoteLabel.kind(ofUnlabeledNote: text) ?? (hasNoteLabel ? .paragraph : nil)
        }

        /// Whether the line begins with the label of a note, such as `<b>Gallery:</b>` or `<b>Gallery</b>:`.
        ///
        /// ``NoteLabel`` knows which labels need not be bold.
        private var hasNoteLabel: Bool {
            let line = TextNormalizer.line(text)
            let boldWords = TextNormalizer.line(boldOpening)
            if boldWords.isEmpty {
                guard let colon = line.firstIndex(of: ":") else { return false }
                return NoteLabel.isKnownWithoutBold(line[..<colon])
            }
            if let boldColon = boldWords.firstIndex(of: ":") {
                return NoteLabel.isKnown(boldWords[..<boldColon])
            }
            let rest = line.dropFirst(boldWords.count).drop(while: \.isWhitespace)
            return rest.first == ":" && NoteLabel.isKnown(boldWords)
        }
    }

    /// The elements that are part of a line of text; before and after any other element, a browser breaks the line.
    private static let inlineElements: Set<String> = [
        "a", "abbr", "acronym", "annotation", "area", "audio", "b", "bdi", "bdo", "big", "button",
        "canvas", "cite", "code", "data", "del", "dfn", "em", "embed", "font", "i", "iframe", "img",
        "input", "ins", "kbd", "label", "map", "mark", "math", "meter", "mfrac", "mi", "mn", "mo",
        "mover", "mroot", "mrow", "ms", "mspace", "msqrt", "mstyle", "msub", "msubsup", "msup",
        "mtext", "munder", "munderover", "nobr", "noscript", "object", "output", "param", "picture",
        "progress", "q", "rb", "rp", "rt", "ruby", "s", "samp", "script", "select", "semantics",
        "small", "source", "span", "strike", "strong", "style", "sub", "sup", "svg", "template",
        "time", "track", "tt", "u", "var", "video", "wbr",
    ]

    /// How many line breaks the tag of an element stands for; two begin a paragraph.
    static func breaks(ofTag name: String) -> Int {
        switch name {
        case _ where inlineElements.contains(name): 0
        case "br", "td", "th": 1
        default: 2
        }
    }

    let lines: [Line]
    /// The nodes as they were parsed, without stray blanks; unlike ``lines``, they have no characters such as ⁶ for scripts.
    let nodes: [HTMLNode]

    init(_ nodes: [HTMLNode]) {
        let nodes = nodes.withoutStraySpaces
        var reader = LineReader()
        for (index, node) in nodes.withScriptCharacters.enumerated() {
            reader.read(node, at: index)
        }
        lines = reader.lines
        self.nodes = nodes
    }

    /// The whole text in one line.
    var line: String { Self.normalized(lines.map(\.text).joined(separator: " ")) }

    /// The first label of a credit in bold, such as "Image Credit & Copyright"; `nil` if there is none.
    var creditLabel: String? {
        lines.lazy.flatMap(\.boldParts).compactMap { Credit(TextNormalizer.line($0)).label }.first
    }

    private static func normalized(_ text: String) -> String {
        TextNormalizer.removingStraySpaces(TextNormalizer.line(text))
    }

    /// The text after the label "Explanation:", without notes; without that label, it begins at the start.
    var explanation: String {
        var paragraphs: [String] = []
        for index in explanationLines {
            let line = lines[index]
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

    /// Where in ``nodes`` the ``explanation`` and its label are; between two ranges is a note.
    ///
    /// A range begins with a text, and ends before the first text of the note.
    var explanationNodes: [Range<Int>] {
        var ranges: [Range<Int>] = []
        for index in explanationLines {
            let start = lines[index].firstText
            let end = index + 1 < lines.count ? lines[index + 1].firstText : nodes.count
            if let last = ranges.last, last.upperBound == start {
                ranges[ranges.count - 1] = last.lowerBound..<end
            } else {
                ranges.append(start..<end)
            }
        }
        return ranges
    }

    /// The indices of the lines of ``explanation``.
    ///
    /// A note is a paragraph, or the rest of a paragraph, that begins with a label such as "Gallery:". The explanation
    /// continues after a note, unless the note begins the foot of the page.
    private var explanationLines: [Int] {
        let labelIndex = lines.firstIndex(where: \.isExplanation)
        var indices = labelIndex.map { [$0] } ?? []
        var next = labelIndex.map { $0 + 1 } ?? 0
        while next < lines.count {
            switch lines[next].noteKind {
            case nil:
                indices.append(next)
                next += 1
            case .foot: return indices
            case .paragraph:
                let end =
                    lines[(next + 1)...].firstIndex { $0.opensParagraph || $0.noteKind != nil }
                    ?? lines.count
                let wordCount = lines[next..<end].reduce(0) {
                    $0 + $1.text.split(whereSeparator: \.isWhitespace).count
                }
                // A longer paragraph is a part of the explanation, such as the news of 1998-06-05.
                if wordCount > NoteLabel.maximumWords { indices += next..<end }
                next = end
            }
        }
        return indices
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

/// Splits nodes, which are passed to it one after the other, into lines.
private struct LineReader {
    private(set) var lines: [HTMLText.Line] = []
    /// The number of breaks since the last text: two, as at the start, begin a paragraph.
    private var breaks = 2
    /// The number of open elements that make text bold; ``HTMLDocument`` closes each element that it opens.
    private var boldDepth = 0
    /// Whether the next text in bold continues the last bold part, which is empty at the beginning of a line.
    private var isInBoldPart = true

    mutating func read(_ node: HTMLNode, at index: Int) {
        switch node {
        case .opening("b", _), .opening("strong", _): boldDepth += 1
        case .closing("b"), .closing("strong"): boldDepth -= 1
        case .opening("br", _): breaks += 1
        case .closing("br"): break
        case .opening(let name, _), .closing(let name):
            breaks = max(breaks, HTMLText.breaks(ofTag: name))
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
        if !isInBoldPart, boldDepth > 0, !isBlank {
            lines[last].boldParts.append("")
            isInBoldPart = true
        }
        isInBoldPart = isInBoldPart && (boldDepth > 0 || isBlank)
        lines[last].text += text
        if isInBoldPart { lines[last].boldParts[lines[last].boldParts.count - 1] += text }
    }
}

extension [HTMLNode] {
    /// The same nodes without the blanks that NASA's texts have beside links: see ``TextNormalizer/strayBlanks(in:)``.
    ///
    /// A blank and the punctuation after it may be in different nodes; therefore all texts of a line are searched together.
    fileprivate var withoutStraySpaces: [HTMLNode] {
        var nodes = self
        for line in indices.split(whereSeparator: { self[$0].breaksLine }) {
            nodes.removeStraySpaces(in: line)
        }
        return nodes
    }

    /// Removes the stray blanks of the line with the nodes at `indices`.
    private mutating func removeStraySpaces(in indices: Range<Int>) {
        let line = indices.filter { if case .text = self[$0] { true } else { false } }
        let blanks = TextNormalizer.strayBlanks(in: line.flatMap { self[$0].plainText.utf8 })
        guard !blanks.isEmpty else { return }
        var texts = line.map { Array<UInt8>(self[$0].plainText.utf8) }
        for blank in blanks.reversed() {
            /// The offset in the line at which the text at `index` begins.
            var start = 0
            for index in texts.indices {
                let end = start + texts[index].count
                let part = blank.clamped(to: start..<end)
                if !part.isEmpty {
                    texts[index].removeSubrange(part.lowerBound - start..<part.upperBound - start)
                }
                start = end
            }
        }
        for (index, text) in zip(line, texts) {
            self[index] = .text(String(decoding: text, as: UTF8.self))
        }
    }
}
