/// The characters of Unicode that are above or below the line, and when they are used for a superscript or a subscript.
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

    /// The characters of each alphabet by their ordinary forms.
    private static let tables = Dictionary(
        uniqueKeysWithValues: allCases.map { alphabet in
            let pairs = alphabet.plainCharacters.map { (Character($0.plain), Character($0.script)) }
            return (alphabet, Dictionary(uniqueKeysWithValues: pairs))
        })

    /// The sign before a script that has no characters in this alphabet.
    var mark: String { self == .superscript ? "^" : "_" }

    /// The dashes and hyphens that NASA writes for a minus.
    private static let minusSigns: [Character] = ["−", "–", "‑", "‐"]
    private static let ordinalEndings = ["st", "nd", "rd", "th"]

    /// Whether `script` is to be written in this alphabet; `previous` and `next` are the characters around it in its line.
    ///
    /// It is if it has a digit or a sign, or if its letters belong to the character before it, as in xⁿ. Words, abbreviations
    /// and symbols such as ☉ stay, because they can be read in the line.
    func isUsed(for script: String, after previous: Character?, before next: Character?) -> Bool {
        let hasDigitOrSign = script.contains {
            $0.isNumber || "+-=^_".contains($0) || Self.minusSigns.contains($0)
        }
        guard script.contains(where: \.isLetter) else { return hasDigitOrSign }
        guard let previous, previous.canHaveScript else {
            // Such letters are small print, unless they are in one word with a digit, as in the mass number of 99mTc.
            return hasDigitOrSign && !script.contains(where: \.isWhitespace)
        }
        if self == .subscript { return true }
        if Self.ordinalEndings.contains(script.lowercased()) { return false }
        // The "c" of "M<sup>c</sup>Donald".
        let isInName = previous.isUppercase && next?.isUppercase == true
        return hasDigitOrSign || !isInName
    }

    /// Returns `text` in this alphabet, without white space at its start: "65" becomes "⁶⁵"; `nil` if a character is missing.
    func spelling(of text: String) -> String? {
        let characters = text.drop(while: \.isWhitespace).map { character -> Character? in
            if character.isWhitespace || character == "," { return character }
            let plain = Self.minusSigns.contains(character) ? "-" : character
            return Self.tables[self]?[plain]
        }
        return characters.contains(nil) ? nil : String(characters.compactMap(\.self))
    }
}

extension Character {
    var isWordCharacter: Bool { isLetter || isNumber }

    /// Whether a superscript or subscript after this character may belong to it.
    fileprivate var canHaveScript: Bool { isWordCharacter || isMathSymbol || ")]".contains(self) }
}
