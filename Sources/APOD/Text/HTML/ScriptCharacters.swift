/// Writes superscripts and subscripts, here called scripts, into plain text: `10<sup>65</sup>` is 10⁶⁵, not 1065.
extension [HTMLNode] {
    /// The same nodes, with characters of Unicode for the texts in `<sup>` and `<sub>`.
    ///
    /// `H<sub>2</sub>O` becomes H₂O. If Unicode lacks a character, signs are written: `x<sup>a/b</sup>` becomes x^(a/b).
    /// Words stay as they are, as in `5<sup>th</sup>`.
    var withScriptCharacters: [HTMLNode] {
        var nodes = self
        /// The indices of the tags whose closing tags were not read yet, the innermost last: elements never overlap.
        var openTags: [Int] = []
        for (index, node) in enumerated() {
            switch node {
            case .opening("sup", _), .opening("sub", _): openTags.append(index)
            case .closing("sup"), .closing("sub"):
                // An inner script is closed first, and is text for the outer one.
                guard let start = openTags.popLast() else { continue }
                nodes.writeScript(
                    in: start..<index, with: node == .closing("sup") ? .superscript : .subscript)
            default: break
            }
        }
        return nodes
    }

    /// Writes the texts in `range`, between an opening and a closing tag, as a script.
    private mutating func writeScript(in range: Range<Int>, with alphabet: ScriptAlphabet) {
        let texts = self[range].indices.filter { !TextNormalizer.isBlank(self[$0].plainText) }
        guard !texts.isEmpty else { return }
        let script = TextNormalizer.trimmed(texts.map { self[$0].plainText }.joined())
        let previous = character(before: range.lowerBound)
        let next = character(after: range.upperBound)
        guard alphabet.isUsed(for: script, after: previous, before: next) else { return }
        let spellings = texts.compactMap { alphabet.spelling(of: self[$0].plainText) }
        if spellings.count == texts.count {
            for (index, spelling) in zip(texts, spellings) { self[index] = .text(spelling) }
        } else {
            // "x^n" needs no parentheses, unless a letter or a digit follows.
            let needsParentheses = script.count > 1 || next?.isWordCharacter == true
            let (first, last) = (texts[0], texts[texts.count - 1])
            let beginning = self[first].plainText.drop(while: \.isWhitespace)
            self[first] = .text("\(alphabet.mark)\(needsParentheses ? "(" : "")\(beginning)")
            let end = TextNormalizer.trimmed(self[last].plainText)
            self[last] = .text("\(end)\(needsParentheses ? ")" : "")")
        }
    }

    /// The last character before the node at `index` in the same line; `nil` at the beginning of a line.
    private func character(before index: Int) -> Character? {
        self[..<index].reversed().lazy.prefix { !$0.breaksLine }.compactMap(\.plainText.last).first
    }

    /// The first character after the node at `index` in the same line; `nil` at the end of a line.
    private func character(after index: Int) -> Character? {
        self[(index + 1)...].lazy.prefix { !$0.breaksLine }.compactMap(\.plainText.first).first
    }
}
