/// Finds the explanation in a text: what follows the label "Explanation:" in bold, without notes such as "Gallery: more".
///
/// A note is a paragraph, or the rest of a paragraph, that begins with a label: see ``NoteLabel``. The explanation continues
/// after a note, unless the note begins the foot of NASA's page.
extension HTMLText {
    /// The explanation without its label; a text without that label is an explanation from the start.
    var explanation: String {
        var paragraphs: [String] = []
        for line in explanationLines.ranges.flatMap({ lines[$0] }) {
            if paragraphs.isEmpty {
                paragraphs.append(Self.removingExplanationLabel(line.text) ?? line.text)
            } else if line.beginsParagraph {
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
        explanationLines.ranges.map { range in
            let isAtEnd = range.upperBound == lines.count
            let end = isAtEnd ? nodes.count : lines[range.upperBound].firstTextIndex
            return lines[range.lowerBound].firstTextIndex..<end
        }
    }

    /// The indices of the lines of ``explanation``.
    private var explanationLines: RangeSet<Int> {
        let label = lines.firstIndex(where: \.hasExplanationLabel)
        var next = label ?? 0
        var indices = RangeSet<Int>()
        while next < lines.count {
            let kind = next == label ? nil : lines[next].noteKind
            if kind == .foot { break }
            let isNote = kind == .paragraph
            let range = isNote ? noteLines(from: next) : next..<next + 1
            // A longer paragraph is a part of the explanation, such as the news of 1998-06-05.
            if !isNote || wordCount(of: range) > NoteLabel.maximumWords {
                indices.insert(contentsOf: range)
            }
            next = range.upperBound
        }
        return indices
    }

    /// The lines of the note that begins at `start`: the rest of the paragraph, up to another note in it.
    private func noteLines(from start: Int) -> Range<Int> {
        let end = lines[(start + 1)...].firstIndex { $0.beginsParagraph || $0.noteKind != nil }
        return start..<(end ?? lines.count)
    }

    private func wordCount(of range: Range<Int>) -> Int {
        lines[range].reduce(0) { $0 + $1.text.split(whereSeparator: \.isWhitespace).count }
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

extension HTMLLine {
    /// Whether the line begins with the label "Explanation:" in bold.
    fileprivate var hasExplanationLabel: Bool {
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
