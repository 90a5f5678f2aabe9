/// A part of a formula in MathML whose place shows what it is: in one line of text, signs around it must say that.
///
/// ``HTMLDocument`` puts an opening and a closing node with the raw value as their name around each part, as if it were
/// an element; `msqrt` is one.
enum FormulaPart: String {
    case numerator, denominator
    /// What is raised to a power, or is below the sign of a root with a degree.
    case base = "formula-base"
    /// The 3 of a cube root.
    case degree = "formula-degree"
    /// What is below the sign of a square root.
    case radicand = "msqrt"

    /// What the children of an element of MathML are, in their order: parts, or scripts as in HTML; `nil` for a child
    /// that needs no sign.
    ///
    /// In `<msup><mn>10</mn><mn>65</mn></msup>`, 65 is the exponent, as in HTML's `<sup>`.
    static let childNames: [String: [String?]] = [
        "msup": [base.rawValue, "sup"], "msubsup": [base.rawValue, "sub", "sup"],
        "msub": [nil, "sub"], "mover": [nil, "sup"], "munder": [nil, "sub"],
        "munderover": [nil, "sub", "sup"],
        "mfrac": [numerator.rawValue, denominator.rawValue],
        "mroot": [base.rawValue, degree.rawValue],
    ]

    /// Whether the element is one of MathML that has no text of its own: white space in it only arranges the source.
    static func hasNoText(_ name: String) -> Bool {
        childNames[name] != nil || ["math", "semantics", "mrow", "mstyle", "msqrt"].contains(name)
    }

    /// What is written before and after this part.
    fileprivate func signs(withParentheses: Bool) -> (before: String, after: String) {
        let (opening, closing) = withParentheses ? ("(", ")") : ("", "")
        return switch self {
        case .numerator, .base: (opening, closing)
        case .denominator: ("/" + opening, closing)
        case .degree: ("^(1/" + opening, closing + ")")
        case .radicand: ("√" + opening, closing)
        }
    }
}

extension [HTMLNode] {
    /// The same nodes, with the signs of fractions and roots in one line: `1/2`, which would be 12 without its tags.
    var withFormulaSigns: [HTMLNode] {
        guard contains(where: { FormulaPart(opening: $0) != nil }) else { return self }
        var writer = FormulaWriter()
        for node in self { writer.write(node) }
        return writer.nodes
    }
}

/// Copies nodes, and writes the signs around the parts of formulas.
private struct FormulaWriter {
    /// A part whose closing node was not read yet.
    private struct OpenPart {
        let part: FormulaPart
        /// The index of its contents in ``FormulaWriter/nodes``.
        let start: Int
        /// Whether a letter or a digit is right before the part.
        let followsWord: Bool
    }

    private(set) var nodes: [HTMLNode] = []
    /// The innermost is the last.
    private var openParts: [OpenPart] = []
    /// Whether the node before, in the same part or script, ends with a letter or a digit.
    private var followsWord = false
    /// Whether the node before ends a denominator.
    private var followsFraction = false

    mutating func write(_ node: HTMLNode) {
        switch node {
        case .opening(let name, _):
            nodes.append(node)
            if let part = FormulaPart(rawValue: name) {
                openParts.append(
                    OpenPart(part: part, start: nodes.count, followsWord: followsWord))
                followsWord = false
            } else if ["sup", "sub"].contains(name) {
                followsWord = false
            }
        case .closing(let name):
            if FormulaPart(rawValue: name) != nil, let closed = openParts.popLast() {
                writeSigns(around: closed)
                followsFraction = closed.part == .denominator
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

    private mutating func writeSigns(around closed: OpenPart) {
        let texts = nodes[closed.start...].map(\.plainText).filter { !TextNormalizer.isBlank($0) }
        let hasParentheses =
            texts.first?.hasPrefix("(") == true && texts.last?.hasSuffix(")") == true
        // Each number, letter and sign of a formula is a text of its own.
        var signs = closed.part.signs(withParentheses: texts.count > 1 && !hasParentheses)
        // A number before a fraction is a whole, as in "1 1/2".
        if closed.part == .numerator, closed.followsWord { signs.before = " " + signs.before }
        if !signs.before.isEmpty { nodes.insert(.text(signs.before), at: closed.start) }
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
