internal import CXML

/// The tags and signs that ``HTMLDocument`` adds to a formula in MathML, the HTML of formulas, for a reader of one line.
///
/// `<msup><mn>10</mn><mn>65</mn></msup>` becomes 10⁶⁵, and `<mfrac><mn>1</mn><mn>2</mn></mfrac>` becomes 1/2.
enum Formula {
    /// For each element of MathML with superscripts or subscripts: which of its children are `sup` or `sub` in HTML.
    private static let scripts: [String: [String?]] = [
        "msup": [nil, "sup"], "msubsup": [nil, "sub", "sup"], "msub": [nil, "sub"],
        "mover": [nil, "sup"], "munder": [nil, "sub"], "munderover": [nil, "sub", "sup"],
    ]
    /// The other elements without text of their own: white space in them only arranges the source.
    private static let containers: Set = [
        "math", "semantics", "mrow", "mstyle", "mfrac", "msqrt", "mroot",
    ]

    /// Whether the element `name` contains the formula in another language, such as TeX, which a browser does not show.
    static func isSource(_ name: String) -> Bool { name == "annotation" }

    /// The HTML element that means the same as the element `node`: `sup` or `sub`; `nil` if `node` is no such script.
    static func script(of node: xmlNodePtr) -> String? {
        guard let names = unsafe scripts[parentName(of: node)] else { return nil }
        let position = unsafe elementCount(before: node)
        return position < names.count ? names[position] : nil
    }

    /// The signs to write before the element `node`: `/` before a denominator and `√` before a root, else `nil`.
    static func sign(before node: xmlNodePtr) -> String? {
        let name = unsafe HTMLDocument.name(node.pointee.name)
        let isDenominator =
            unsafe parentName(of: node) == "mfrac" && elementCount(before: node) == 1
        let isRoot = name == "msqrt" || name == "mroot"
        let signs = (isDenominator ? "/" : "") + (isRoot ? "√" : "")
        return signs.isEmpty ? nil : signs
    }

    /// Whether the element around `node` is an element of MathML without text of its own.
    static func isAround(_ node: xmlNodePtr) -> Bool {
        let name = unsafe parentName(of: node)
        return scripts[name] != nil || containers.contains(name)
    }

    /// The name of the element around `node`; empty if there is none.
    private static func parentName(of node: xmlNodePtr) -> String {
        unsafe node.pointee.parent.map { unsafe HTMLDocument.name($0.pointee.name) } ?? ""
    }

    /// The number of elements before `node` in the same element, at most three.
    private static func elementCount(before node: xmlNodePtr) -> Int {
        var count = 0
        var previous = unsafe node.pointee.prev
        while let sibling = unsafe previous, count < 3 {
            if unsafe sibling.pointee.type == XML_ELEMENT_NODE { count += 1 }
            unsafe previous = sibling.pointee.prev
        }
        return count
    }
}
