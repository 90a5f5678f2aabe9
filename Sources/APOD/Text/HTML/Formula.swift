internal import CXML

/// Turns a formula in MathML, the HTML of formulas, into one line of text with the tags `sup` and `sub`, for ``HTMLDocument``.
///
/// `<msup><mn>10</mn><mn>65</mn></msup>` becomes 10⁶⁵, and `<mfrac><mn>1</mn><mn>2</mn></mfrac>` becomes 1/2. No parentheses are
/// added: a fraction of `a+b` and `c` becomes a+b/c.
enum Formula {
    /// The elements of MathML with superscripts or subscripts, and the HTML tag for each of their children, if any.
    private static let tagsOfChildren: [String: [String?]] = [
        "msup": [nil, "sup"], "msubsup": [nil, "sub", "sup"], "msub": [nil, "sub"],
        "mover": [nil, "sup"], "munder": [nil, "sub"], "munderover": [nil, "sub", "sup"],
    ]
    /// The other elements without text of their own: white space in them only arranges the source.
    private static let containers: Set = [
        "math", "semantics", "mrow", "mstyle", "mfrac", "msqrt", "mroot",
    ]

    /// Whether the element `name` contains the formula in another language, such as TeX, which a browser does not show.
    static func isSource(_ name: String) -> Bool { name == "annotation" }

    /// The HTML tag for the element `node`, `sup` or `sub`; `nil` if it is no superscript and no subscript.
    static func scriptTag(for node: xmlNodePtr) -> String? {
        guard let tags = unsafe tagsOfChildren[parentName(of: node)] else { return nil }
        let position = unsafe elementCount(before: node)
        return position < tags.count ? tags[position] : nil
    }

    /// The signs to write before the text of the element `node`: `/` for a denominator, `√` for a root; often empty.
    static func signs(before node: xmlNodePtr) -> String {
        let name = unsafe HTMLDocument.string(node.pointee.name)
        let isRoot = name == "msqrt" || name == "mroot"
        let isDenominator =
            unsafe parentName(of: node) == "mfrac" && elementCount(before: node) == 1
        return (isDenominator ? "/" : "") + (isRoot ? "√" : "")
    }

    /// Whether the parent of `node` is an element of MathML without text of its own.
    static func isParentWithoutText(of node: xmlNodePtr) -> Bool {
        let name = unsafe parentName(of: node)
        return tagsOfChildren[name] != nil || containers.contains(name)
    }

    /// The name of the parent of `node`; empty if there is none.
    private static func parentName(of node: xmlNodePtr) -> String {
        unsafe node.pointee.parent.map { unsafe HTMLDocument.string($0.pointee.name) } ?? ""
    }

    /// The number of elements before `node` in its parent, at most three: no element above has more children with a tag.
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
