internal import CXML

/// Turns a formula in MathML, the HTML of formulas, into one line of text with the tags `sup` and `sub`, for ``HTMLDocument``.
///
/// `<msup><mn>10</mn><mn>65</mn></msup>` becomes 10⁶⁵, and `<mfrac><mn>1</mn><mn>2</mn></mfrac>` becomes 1/2. No parentheses are
/// added: a fraction of `a+b` and `c` becomes a+b/c. An element that belongs to no formula has no tag and no signs.
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

    /// The element that contains the formula in another language, such as TeX, which a browser does not show.
    static let source = "annotation"

    /// The HTML tag to write around an element: `sup` or `sub`; `nil` if it is neither.
    static func scriptTag(of element: xmlNodePtr) -> String? {
        guard let tags = unsafe tagsOfChildren[nameOfParent(of: element)] else { return nil }
        let index = unsafe indexInParent(of: element)
        return index < tags.count ? tags[index] : nil
    }

    /// The signs to write before the text of an element: `/` for a denominator, `√` for a root, `/√` for both; else none.
    static func signs(before element: xmlNodePtr) -> String {
        let name = unsafe HTMLDocument.string(element.pointee.name)
        let isRoot = ["msqrt", "mroot"].contains(name)
        let isDenominator =
            unsafe nameOfParent(of: element) == "mfrac" && indexInParent(of: element) == 1
        return (isDenominator ? "/" : "") + (isRoot ? "√" : "")
    }

    /// Whether white space at `node` only arranges the source of a formula.
    static func ignoresWhiteSpace(at node: xmlNodePtr) -> Bool {
        let name = unsafe nameOfParent(of: node)
        return tagsOfChildren[name] != nil || containers.contains(name)
    }

    /// The name of the parent of `node`; empty if there is none.
    private static func nameOfParent(of node: xmlNodePtr) -> String {
        unsafe node.pointee.parent.map { unsafe HTMLDocument.string($0.pointee.name) } ?? ""
    }

    /// The number of elements before `element` in its parent; 3 if there are more, which are too many for any formula.
    private static func indexInParent(of element: xmlNodePtr) -> Int {
        var index = 0
        var previous = unsafe element.pointee.prev
        while let sibling = unsafe previous, index < 3 {
            if unsafe sibling.pointee.type == XML_ELEMENT_NODE { index += 1 }
            unsafe previous = sibling.pointee.prev
        }
        return index
    }
}
