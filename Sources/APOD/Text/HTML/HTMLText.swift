/// The text of NASA's HTML, split into lines where a browser breaks the line, to find the explanation in it.
///
/// The explanation follows a label in bold, "Explanation:". Notes such as "Gallery: more pictures" may follow or interrupt it.
struct HTMLText {
    /// The text between two breaks, as it is in the HTML.
    struct Line {
        fileprivate(set) var text = ""
        /// The bold beginning of ``text``; empty if the text does not begin in bold.
        fileprivate(set) var boldOpening = ""
        /// The other bold parts of ``text``, in order; blanks between two bold elements do not end a part.
        fileprivate(set) var laterBoldParts: [String] = []
        /// Whether the line begins a paragraph: more than one break is before it.
        let opensParagraph: Bool
        /// The index in ``HTMLText/nodes`` of the first text of the line.
        let firstText: Int

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
    /// The nodes as they were parsed, without stray blanks; only ``lines`` have characters such as ⁶ for `<sup>6</sup>`.
    let nodes: [HTMLNode]

    init(_ nodes: [HTMLNode]) {
        let nodes = nodes.withoutStrayBlanks
        var reader = LineReader()
        for (index, node) in nodes.withScriptCharacters.enumerated() {
            reader.read(node, at: index)
        }
        lines = reader.lines
        self.nodes = nodes
    }

    /// The text of all lines in one line.
    var wholeText: String { Self.normalized(lines.map(\.text).joined(separator: " ")) }

    /// The first label of a credit in bold, such as "Image Credit & Copyright"; `nil` if there is none.
    var creditLabel: String? {
        lines.lazy.flatMap { [$0.boldOpening] + $0.laterBoldParts }
            .compactMap { Credit(TextNormalizer.line($0)).label }.first
    }

    private static func normalized(_ text: String) -> String {
        TextNormalizer.removingStrayBlanks(TextNormalizer.line(text))
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
                let note = noteLines(from: next)
                let wordCount = lines[note].reduce(0) {
                    $0 + $1.text.split(whereSeparator: \.isWhitespace).count
                }
                // A longer paragraph is a part of the explanation, such as the news of 1998-06-05.
                if wordCount > NoteLabel.maximumWords { indices += note }
                next = note.upperBound
            }
        }
        return indices
    }

    /// The lines of the note that begins at `start`: the rest of the paragraph, up to another note in it.
    private func noteLines(from start: Int) -> Range<Int> {
        let end = lines[(start + 1)...].firstIndex { $0.opensParagraph || $0.noteKind != nil }
        return start..<(end ?? lines.count)
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
    /// The bold part of the last line that the next text in bold continues.
    private var boldPart = BoldPart.opening

    private enum BoldPart {
        /// ``HTMLText/Line/boldOpening``, as no other text has come in this line.
        case opening
        /// The last one of ``HTMLText/Line/laterBoldParts``.
        case later
        /// None, because the last text was not in bold: the next text in bold begins another part.
        case none
    }

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
            boldPart = .opening
        }
        let last = lines.count - 1
        if !isBlank, boldDepth == 0 {
            boldPart = .none
        } else if !isBlank, boldPart == .none {
            lines[last].laterBoldParts.append("")
            boldPart = .later
        }
        lines[last].text += text
        switch boldPart {
        case .opening: lines[last].boldOpening += text
        case .later: lines[last].laterBoldParts[lines[last].laterBoldParts.count - 1] += text
        case .none: break
        }
    }
}
