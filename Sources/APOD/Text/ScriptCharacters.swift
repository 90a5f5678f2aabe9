/// Superscripts and subscripts in plain text: `10<sup>65</sup>` is 10⁶⁵; without its tags, it would be 1065.
extension [HTMLNode] {
    /// The same nodes, with the numbers in `<sup>` and `<sub>` in characters of that kind.
    ///
    /// A superscript that has no such characters follows `^`. Words, such as the letters of "5<sup>th</sup>", stay.
    var withScriptCharacters: [HTMLNode] {
        var nodes = self
        var open: [Int] = []
        for (index, node) in enumerated() {
            switch node {
            case .opening("sup", _), .opening("sub", _): open.append(index)
            case .closing("sup"), .closing("sub"):
                // An inner script is closed first, and is text for the outer one.
                guard let start = open.popLast() else { continue }
                nodes.writeScript(
                    in: start..<index, with: node == .closing("sup") ? .superscript : .subscript)
            default: break
            }
        }
        return nodes
    }

    private mutating func writeScript(in range: Range<Int>, with alphabet: ScriptAlphabet) {
        let texts = self[range].indices.filter { index in
            if case .text(let text) = self[index] { !TextNormalizer.isBlank(text) } else { false }
        }
        guard let first = texts.first, let last = texts.last else { return }
        let script = TextNormalizer.trimmed(texts.map { self[$0].plainText }.joined())
        guard alphabet.isNumeric(script) else { return }
        let written = texts.compactMap { alphabet.written(self[$0].plainText) }
        if written.count == texts.count {
            for (index, text) in zip(texts, written) { self[index] = .text(text) }
        } else if alphabet == .superscript {
            self[first] = .text("^(" + self[first].plainText.drop(while: \.isWhitespace))
            self[last] = .text(TextNormalizer.trimmed(self[last].plainText) + ")")
        }
    }
}

extension HTMLNode {
    fileprivate var plainText: String { if case .text(let text) = self { text } else { "" } }
}

/// The characters of Unicode for numbers above or below the line.
enum ScriptAlphabet: String, CaseIterable {
    case superscript = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ"
    case `subscript` = "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₙᵢ"

    private static let plain = Array("0123456789+-=()ni")

    /// Each character with the one of ASCII that it stands for.
    var plainCharacters: [(Unicode.Scalar, Unicode.Scalar)] {
        Array(zip(rawValue.unicodeScalars, String(Self.plain).unicodeScalars))
    }

    /// Several characters are in use for the sign.
    private static let minusSigns: [Character] = ["−", "–", "‑", "‐"]

    /// Whether `script` has a digit or a sign, or is a variable with a character of its own, rather than a word.
    func isNumeric(_ script: String) -> Bool {
        ["n", "i"].contains(script)
            || script.contains {
                $0.isNumber || "+-=^".contains($0) || Self.minusSigns.contains($0)
            }
    }

    /// Returns `text` in this alphabet, without white space at its start; `nil` if it has other characters.
    func written(_ text: String) -> String? {
        let characters = Array(rawValue)
        var written = ""
        for character in text.drop(while: \.isWhitespace) {
            let plain = Self.minusSigns.contains(character) ? "-" : character
            if let index = Self.plain.firstIndex(of: plain) {
                written.append(characters[index])
            } else if character.isWhitespace || character == "," {
                written.append(character)
            } else {
                return nil
            }
        }
        return written
    }
}
