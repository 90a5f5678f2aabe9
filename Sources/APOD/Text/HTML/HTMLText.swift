/// The text of an HTML fragment of NASA, split into lines at breaks, and the explanation between its label and the notes.
struct HTMLText {
    /// The text between two breaks, as it is in the HTML.
    struct Line {
        fileprivate(set) var text = ""
        /// The bold parts of ``text``, in order; the first is the beginning of the text, and empty if that is not bold.
        ///
        /// Blanks between two bold elements do not end a part.
        fileprivate(set) var boldParts = [""]
        /// Whether more than one break precedes the line.
        let opensParagraph: Bool
        /// The index in ``HTMLText/nodes`` of the line's first text; tags before it belong to the line, too.
        let firstText: Int

        private var boldOpening: String { boldParts[0] }

        /// Whether the line begins with the label "Explanation:" in bold.
        fileprivate var isExplanation: Bool {
            !boldOpening.isEmpty && HTMLText.removingExplanationLabel(text) != nil
        }

        /// The kind of the note that begins with the line; `nil` if none does.
        fileprivate var note: NoteLabel.Kind? {
            NoteLabel.kind(ofUnlabeledNote: text) ?? (hasNoteLabel ? .paragraph : nil)
        }

        /// Whether the line begins with the label of a note, such as `<b>Gallery:</b>` or `<b>Gallery</b>:`.
        ///
        /// Some labels need not be bold: see ``NoteLabel``.
        private var hasNoteLabel: Bool {
            let line = TextNormalizer.line(text)
            let opening = TextNormalizer.line(boldOpening)
            if opening.isEmpty {
                guard let colon = line.firstIndex(of: ":") else { return false }
                return NoteLabel.isKnownWithoutBold(line[..<colon])
            }
            if let boldColon = opening.firstIndex(of: ":") {
                return NoteLabel.isKnown(opening[..<boldColon])
            }
            let rest = line.dropFirst(opening.count).drop(while: \.isWhitespace)
            return rest.first == ":" && NoteLabel.isKnown(opening)
        }
    }

    /// The elements that are part of a line of text; all others separate the text before, in and after them.
    private static let inlineElements: Set<String> = [
        "a", "abbr", "acronym", "annotation", "area", "audio", "b", "bdi", "bdo", "big", "button",
        "canvas", "cite", "code", "data", "del",
        "dfn", "em", "embed", "font", "i", "iframe", "img", "input", "ins", "kbd", "label", "map",
        "mark", "math", "meter", "mfrac", "mi", "mn", "mo", "mover",
        "mroot", "mrow", "ms", "mspace", "msqrt", "mstyle", "msub", "msubsup", "msup", "mtext",
        "munder", "munderover", "nobr", "noscript", "object", "output", "param", "picture",
        "progress", "q", "rb", "rp", "rt", "ruby", "s", "samp", "script", "select",
        "semantics", "small", "source", "span", "strike", "strong", "style", "sub", "sup", "svg",
        "template", "time", "track", "tt", "u", "var", "video", "wbr",
    ]

    /// The number of line breaks that the tag of an element makes; two begin a paragraph.
    static func breaks(ofTag name: String) -> Int {
        switch name {
        case _ where inlineElements.contains(name): 0
        case "br", "td", "th": 1
        default: 2
        }
    }

    let lines: [Line]
    /// The nodes as they were parsed, without stray blanks; only ``lines`` have characters such as ⁶ for superscripts.
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

    /// The first label of a credit in bold, such as "Image Credit & Copyright".
    var creditLabel: String? {
        lines.lazy.flatMap(\.boldParts).compactMap { Credit(TextNormalizer.line($0)).label }.first
    }

    private static func normalized(_ text: String) -> String {
        TextNormalizer.removingStraySpaces(TextNormalizer.line(text))
    }

    /// The text after the label "Explanation:", or from the start if there is no label, without notes.
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

    /// The ranges of the nodes of ``explanation``, including its label; between two ranges is a note.
    ///
    /// A range ends with the tags before the note. Tags before the first text are in no range.
    var explanationNodes: [Range<Int>] {
        var ranges: [Range<Int>] = []
        for index in explanationLines {
            let next = index + 1 < lines.count ? lines[index + 1].firstText : nodes.count
            if let last = ranges.last, last.upperBound == lines[index].firstText {
                ranges[ranges.count - 1] = last.lowerBound..<next
            } else {
                ranges.append(lines[index].firstText..<next)
            }
        }
        return ranges
    }

    /// The indices of the lines of ``explanation``.
    ///
    /// A note is a paragraph, or the rest of one, that begins with a label such as "Gallery:". The explanation goes on after
    /// a note, unless the note begins the foot of the page.
    private var explanationLines: [Int] {
        let start = lines.firstIndex(where: \.isExplanation)
        var kept = start.map { [$0] } ?? []
        var next = start.map { $0 + 1 } ?? 0
        while next < lines.count {
            switch lines[next].note {
            case nil:
                kept.append(next)
                next += 1
            case .foot: return kept
            case .paragraph:
                let end =
                    lines[(next + 1)...].firstIndex { $0.opensParagraph || $0.note != nil }
                    ?? lines.count
                let words = lines[next..<end].reduce(0) {
                    $0 + $1.text.split(whereSeparator: \.isWhitespace).count
                }
                // A longer one is a part of the text, such as the news of 1998-06-05.
                if words > NoteLabel.maximumWords { kept += next..<end }
                next = end
            }
        }
        return kept
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
    /// Whether the last line, as far as it was read, ends in a bold part; each line begins with one.
    private var isInBoldPart = true

    mutating func read(_ node: HTMLNode, at index: Int) {
        switch node {
        case .opening("b", _), .opening("strong", _): bold += 1
        case .closing("b"), .closing("strong"): bold -= 1
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
        if !isInBoldPart, bold > 0, !isBlank {
            lines[last].boldParts.append("")
            isInBoldPart = true
        }
        isInBoldPart = isInBoldPart && (bold > 0 || isBlank)
        lines[last].text += text
        if isInBoldPart { lines[last].boldParts[lines[last].boldParts.count - 1] += text }
    }
}

extension [HTMLNode] {
    /// The same nodes without the blanks that NASA's texts have beside links: see ``TextNormalizer/strayBlanks(in:)``.
    ///
    /// A blank and the punctuation after it may be in different nodes, so all texts of a line are searched together.
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
            /// The offset of the text in the line.
            var start = 0
            for index in texts.indices {
                let ownRange = start..<start + texts[index].count
                start = ownRange.upperBound
                let part = blank.clamped(to: ownRange)
                guard !part.isEmpty else { continue }
                texts[index].removeSubrange(
                    part.lowerBound - ownRange.lowerBound..<part.upperBound - ownRange.lowerBound)
            }
        }
        for (index, text) in zip(line, texts) {
            self[index] = .text(String(decoding: text, as: UTF8.self))
        }
    }
}
