/// A part of a formula in MathML that is above, below or under another one, and has signs around it in one line.
enum FormulaPart: String {
    case numerator, denominator
    /// What is raised to a power, or has a root.
    case base = "formula-base"
    /// The 3 of a cube root.
    case degree = "formula-degree"
    case radicand = "msqrt"

    /// The parts of an element of MathML by the positions of their elements; `nil` for one without a name.
    ///
    /// In `<msup><mn>10</mn><mn>65</mn></msup>`, 65 is the exponent, as in HTML's `<sup>`.
    static let names: [String: [String?]] = [
        "msup": [base.rawValue, "sup"], "msubsup": [base.rawValue, "sub", "sup"],
        "msub": [nil, "sub"], "mover": [nil, "sup"], "munder": [nil, "sub"],
        "munderover": [nil, "sub", "sup"],
        "mfrac": [numerator.rawValue, denominator.rawValue],
        "mroot": [base.rawValue, degree.rawValue],
    ]

    /// Whether the element is one of MathML that has no text of its own: white space in it only arranges the source.
    static func hasNoText(_ name: String) -> Bool {
        names[name] != nil || ["math", "semantics", "mrow", "mstyle", "msqrt"].contains(name)
    }

    /// What is written before and after this part, which has more than one number, letter or sign if `isLong`.
    fileprivate func signs(isLong: Bool) -> (before: String, after: String) {
        let (opening, closing) = isLong ? ("(", ")") : ("", "")
        return switch self {
        case .numerator, .base: (opening, closing)
        case .denominator: ("/" + opening, closing)
        case .degree: ("^(1/" + opening, closing + ")")
        case .radicand: ("√" + opening, closing)
        }
    }
}

extension [HTMLNode] {
    /// The same nodes, with fractions and roots as in one line: `1/2`, where without its tags it would be 12.
    var withFormulaSigns: [HTMLNode] {
        guard contains(where: { FormulaPart(opening: $0) != nil }) else { return self }
        var writer = FormulaWriter()
        for node in self { writer.write(node) }
        return writer.nodes
    }
}

/// Copies nodes, and writes the signs around the parts of formulas.
private struct FormulaWriter {
    private(set) var nodes: [HTMLNode] = []
    /// The open parts with the indices of their contents in ``nodes``.
    private var open: [(part: FormulaPart, start: Int, followsWord: Bool)] = []
    /// Whether a letter or a digit precedes in the same part or script.
    private var followsWord = false
    private var followsFraction = false

    mutating func write(_ node: HTMLNode) {
        switch node {
        case .opening(let name, _):
            nodes.append(node)
            if let part = FormulaPart(rawValue: name) {
                open.append((part, nodes.count, followsWord))
                followsWord = false
            } else if ["sup", "sub"].contains(name) {
                followsWord = false
            }
        case .closing(let name):
            if FormulaPart(rawValue: name) != nil, let last = open.popLast() {
                writeSigns(of: last.part, from: last.start, followsWord: last.followsWord)
                followsFraction = last.part == .denominator
            }
            nodes.append(node)
        case .text(let text):
            // In "1/2 m", the letter is not a part of the denominator.
            if followsFraction, text.first?.isWordCharacter == true { nodes.append(.text(" ")) }
            followsFraction = false
            followsWord = text.last?.isWordCharacter == true
            nodes.append(node)
        }
    }

    private mutating func writeSigns(of part: FormulaPart, from start: Int, followsWord: Bool) {
        let texts = nodes[start...].map(\.plainText).filter { !TextNormalizer.isBlank($0) }
        let isInParentheses =
            texts.first?.hasPrefix("(") == true && texts.last?.hasSuffix(")") == true
        var signs = part.signs(isLong: texts.count > 1 && !isInParentheses)
        // A number before a fraction is a whole, as in "1 1/2".
        if part == .numerator, followsWord { signs.before = " " + signs.before }
        if !signs.before.isEmpty { nodes.insert(.text(signs.before), at: start) }
        if !signs.after.isEmpty { nodes.append(.text(signs.after)) }
    }
}

extension FormulaPart {
    /// The part that begins with a node; `nil` for another node.
    fileprivate init?(opening node: HTMLNode) {
        guard case .opening(let name, _) = node else { return nil }
        self.init(rawValue: name)
    }
}
