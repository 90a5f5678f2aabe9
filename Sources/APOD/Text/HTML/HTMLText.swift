/// The text of NASA's HTML, such as a title, a credit or an explanation, split into lines where a browser breaks the line.
///
/// ``EntryDecoder`` takes the texts of an entry from it. `HTMLText+Explanation.swift` separates an explanation from its label and
/// from its notes.
struct HTMLText {
    let lines: [HTMLLine]
    /// The nodes as they were parsed, without stray blanks; only ``lines`` have characters such as ⁶ for `<sup>6</sup>`.
    let nodes: [HTMLNode]

    init(_ nodes: [HTMLNode]) {
        self.nodes = nodes.withoutStrayBlanks
        lines = HTMLLine.all(in: self.nodes.withScriptCharacters)
    }

    /// The text of all lines in one line.
    var wholeText: String { Self.normalized(lines.map(\.text).joined(separator: " ")) }

    /// The first label of a credit in bold, such as "Image Credit & Copyright"; `nil` if there is none.
    var creditLabel: String? {
        lines.lazy.flatMap(\.boldParts).compactMap { Credit(TextNormalizer.line($0)).label }.first
    }

    static func normalized(_ text: String) -> String {
        TextNormalizer.removingStrayBlanks(TextNormalizer.line(text))
    }
}
