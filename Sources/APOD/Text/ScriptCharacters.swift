/// Superscripts and subscripts in plain text: `10<sup>65</sup>` is 10⁶⁵; without its tags, it would be 1065.
extension [HTMLNode] {
    /// The same nodes, with the numbers and letters in `<sup>` and `<sub>` in characters of that kind.
    ///
    /// Those that have no such characters follow `^` or `_`. Words, such as the letters of "5<sup>th</sup>", stay.
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
        let texts = self[range].indices.filter { !TextNormalizer.isBlank(self[$0].plainText) }
        guard let first = texts.first, let last = texts.last else { return }
        let script = TextNormalizer.trimmed(texts.map { self[$0].plainText }.joined())
        let next = character(after: range.upperBound)
        guard
            alphabet.changes(
                script, after: character(before: range.lowerBound), before: next)
        else { return }
        let written = texts.compactMap { alphabet.written(self[$0].plainText) }
        if written.count == texts.count {
            for (index, text) in zip(texts, written) { self[index] = .text(text) }
            return
        }
        let isAlone = script.count == 1 && next?.isWordCharacter != true
        let (opening, closing) = isAlone ? ("", "") : ("(", ")")
        let beginning = self[first].plainText.drop(while: \.isWhitespace)
        self[first] = .text("\(alphabet.mark)\(opening)\(beginning)")
        self[last] = .text(TextNormalizer.trimmed(self[last].plainText) + closing)
    }

    /// The last character before the node at `index` in the same line; `nil` at the beginning of a line.
    private func character(before index: Int) -> Character? {
        for node in self[..<index].reversed() {
            if node.breaksLine { return nil }
            if let last = node.plainText.last { return last }
        }
        return nil
    }

    /// The first character after the node at `index` in the same line; `nil` at the end of a line.
    private func character(after index: Int) -> Character? {
        for node in self[(index + 1)...] {
            if node.breaksLine { return nil }
            if let first = node.plainText.first { return first }
        }
        return nil
    }
}

extension HTMLNode {
    /// The text; empty for a tag.
    var plainText: String { if case .text(let text) = self { text } else { "" } }

    fileprivate var breaksLine: Bool {
        switch self {
        case .opening(let name, _), .closing(let name):
            name == "br" || HTMLText.blocks.contains(name)
        case .text: false
        }
    }
}

extension Character {
    /// Whether it is a letter or a number.
    var isWordCharacter: Bool { isLetter || isNumber }
}

/// The characters of Unicode above or below the line.
enum ScriptAlphabet: CaseIterable {
    case superscript
    case `subscript`

    /// The characters of this alphabet, each after the one that it stands for.
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

    /// Each character of this alphabet with the one that it stands for.
    var plainCharacters: [(script: Unicode.Scalar, plain: Unicode.Scalar)] {
        let scalars = Array(pairs.unicodeScalars)
        return stride(from: 0, to: scalars.count, by: 2).map { (scalars[$0 + 1], scalars[$0]) }
    }

    private static let tables: [ScriptAlphabet: [Character: Character]] = Dictionary(
        uniqueKeysWithValues: allCases.map { alphabet in
            let pairs = alphabet.plainCharacters.map { (Character($0.plain), Character($0.script)) }
            return (alphabet, Dictionary(uniqueKeysWithValues: pairs))
        })

    /// What stands before a script that cannot be written in this alphabet.
    fileprivate var mark: String { self == .superscript ? "^" : "_" }

    /// Several characters are in use for the sign.
    private static let minusSigns: [Character] = ["−", "–", "‑", "‐"]
    private static let ordinals = ["st", "nd", "rd", "th"]

    /// Whether `script`, between these characters, is written in another way: it has a digit, a sign or, beside what it
    /// belongs to, a letter.
    ///
    /// Symbols, such as that of the Sun, are those of their place; words and abbreviations are read as they are.
    fileprivate func changes(
        _ script: String, after base: Character?, before next: Character?
    ) -> Bool {
        let isNumeric = script.contains {
            $0.isNumber || "+-=^_".contains($0) || Self.minusSigns.contains($0)
        }
        guard script.contains(where: \.isLetter) else { return isNumeric }
        let hasBase = base.map { $0.isWordCharacter || $0.isMathSymbol || ")]".contains($0) }
        // Text in small letters; the mass number of 99mTc is before its element.
        guard hasBase == true else { return isNumeric && !script.contains(where: \.isWhitespace) }
        if self == .subscript { return true }
        // As in "M<sup>c</sup>Donald".
        let isInName = base?.isUppercase == true && next?.isUppercase == true && !isNumeric
        return !isInName && !Self.ordinals.contains(script.lowercased())
    }

    /// Returns `text` in this alphabet, without white space at its start; `nil` if it has other characters.
    fileprivate func written(_ text: String) -> String? {
        var written = ""
        for character in text.drop(while: \.isWhitespace) {
            let plain = Self.minusSigns.contains(character) ? "-" : character
            if let script = Self.tables[self]?[plain] {
                written.append(script)
            } else if character.isWhitespace || character == "," {
                written.append(character)
            } else {
                return nil
            }
        }
        return written
    }
}
