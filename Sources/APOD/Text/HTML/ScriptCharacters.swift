/// Writes superscripts and subscripts, here called scripts, into plain text: `10<sup>65</sup>` is 10⁶⁵, not 1065.
extension [HTMLNode] {
    /// The same nodes, with characters of Unicode for the texts in `<sup>` and `<sub>`.
    ///
    /// `H<sub>2</sub>O` becomes H₂O. If Unicode lacks a character, signs are written: `x<sup>a/b</sup>` becomes x^(a/b).
    /// Words stay as they are, as in `5<sup>th</sup>`.
    var withScriptCharacters: [HTMLNode] {
        var nodes = self
        /// The indices of the tags whose closing tags were not read yet, the innermost last.
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
        let textIndices = self[range].indices.filter { !TextNormalizer.isBlank(self[$0].plainText) }
        guard let first = textIndices.first, let last = textIndices.last else { return }
        let script = TextNormalizer.trimmed(textIndices.map { self[$0].plainText }.joined())
        let previous = character(before: range.lowerBound)
        let next = character(after: range.upperBound)
        guard alphabet.isUsed(for: script, after: previous, before: next) else { return }
        let spellings = textIndices.compactMap { alphabet.spelling(of: self[$0].plainText) }
        if spellings.count == textIndices.count {
            for (index, spelling) in zip(textIndices, spellings) {
                self[index] = .text(spelling)
            }
            return
        }
        // "x^n" needs no parentheses, unless a letter or a digit follows.
        let isOneCharacter = script.count == 1 && next?.isWordCharacter != true
        let (opening, closing) = isOneCharacter ? ("", "") : ("(", ")")
        let beginning = self[first].plainText.drop(while: \.isWhitespace)
        self[first] = .text("\(alphabet.mark)\(opening)\(beginning)")
        self[last] = .text(TextNormalizer.trimmed(self[last].plainText) + closing)
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

extension Character {
    var isWordCharacter: Bool { isLetter || isNumber }
}

/// The characters of Unicode that are above or below the line.
enum ScriptAlphabet: CaseIterable {
    case superscript
    case `subscript`

    /// The characters of this alphabet, each after its ordinary form: "2₂" means that ₂ is a small 2.
    private var pairs: String {
        switch self {
        case .superscript:
            """
            0⁰1¹2²3³4⁴5⁵6⁶7⁷8⁸9⁹+⁺-⁻=⁼(⁽)⁾aᵃbᵇcᶜdᵈeᵉfᶠgᵍhʰiⁱjʲkᵏlˡmᵐnⁿoᵒpᵖrʳsˢtᵗuᵘvᵛwʷxˣyʸzᶻ\
            AᴬBᴮDᴰEᴱGᴳHᴴIᴵJᴶKᴷLᴸMᴹNᴺOᴼPᴾRᴿTᵀUᵁVⱽWᵂβᵝγᵞδᵟθᶿφᵠχᵡ
            """
        case .subscript:
            "0₀1₁2₂3₃4₄5₅6₆7₇8₈9₉+₊-₋=₌(₍)₎aₐeₑhₕiᵢjⱼkₖlₗmₘnₙoₒpₚrᵣsₛtₜuᵤvᵥxₓβᵦγᵧρᵨφᵩχᵪ"
        }
    }

    /// Each character of this alphabet with its ordinary form, such as ₂ and 2.
    var plainCharacters: [(script: Unicode.Scalar, plain: Unicode.Scalar)] {
        let scalars = Array(pairs.unicodeScalars)
        return stride(from: 0, to: scalars.count, by: 2).map { (scalars[$0 + 1], scalars[$0]) }
    }

    private static let tables: [ScriptAlphabet: [Character: Character]] = Dictionary(
        uniqueKeysWithValues: allCases.map { alphabet in
            let pairs = alphabet.plainCharacters.map { (Character($0.plain), Character($0.script)) }
            return (alphabet, Dictionary(uniqueKeysWithValues: pairs))
        })

    /// The sign before a script that has no characters in this alphabet.
    fileprivate var mark: String { self == .superscript ? "^" : "_" }

    /// The dashes and hyphens that NASA writes for a minus.
    private static let minusSigns: [Character] = ["−", "–", "‑", "‐"]
    private static let ordinalEndings = ["st", "nd", "rd", "th"]

    /// Whether `script`, between the characters `previous` and `next`, is to be written in this alphabet.
    ///
    /// A script with a digit or a sign is, and one with a letter that belongs to the character before it, as in xⁿ. Words,
    /// abbreviations and symbols such as ☉ stay, because they can be read in the line.
    fileprivate func isUsed(
        for script: String, after previous: Character?, before next: Character?
    ) -> Bool {
        let isNumeric = script.contains {
            $0.isNumber || "+-=^_".contains($0) || Self.minusSigns.contains($0)
        }
        guard script.contains(where: \.isLetter) else { return isNumeric }
        let hasBase = previous.map { $0.isWordCharacter || $0.isMathSymbol || ")]".contains($0) }
        // Letters that belong to no character before them are small print. The letter in the mass number of 99mTc is not.
        guard hasBase == true else { return isNumeric && !script.contains(where: \.isWhitespace) }
        if self == .subscript { return true }
        // The "c" of "M<sup>c</sup>Donald".
        let isInName = previous?.isUppercase == true && next?.isUppercase == true && !isNumeric
        return !isInName && !Self.ordinalEndings.contains(script.lowercased())
    }

    /// Returns `text` in this alphabet, without white space at its start: "65" becomes "⁶⁵"; `nil` if a character is missing.
    fileprivate func spelling(of text: String) -> String? {
        var spelling = ""
        for character in text.drop(while: \.isWhitespace) {
            let plain = Self.minusSigns.contains(character) ? "-" : character
            if let script = Self.tables[self]?[plain] {
                spelling.append(script)
            } else if character.isWhitespace || character == "," {
                spelling.append(character)
            } else {
                return nil
            }
        }
        return spelling
    }
}
