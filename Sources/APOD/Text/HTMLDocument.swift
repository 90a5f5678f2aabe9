internal import CXML
internal import Platform

/// A tag or a text of an HTML document; a document is a list of them.
///
/// Each opening tag has a closing one. libxml2 adds the elements `html`, `body` and `p` around a fragment.
enum HTMLNode: Hashable, Sendable {
    /// The name is in lower case. Of the attributes, only those of ``keptAttributes`` with a value are included; `hidden` also
    /// without one, as an empty text.
    case opening(String, attributes: [String: String])
    case closing(String)
    /// Text with entities resolved; the text of scripts and styles is omitted.
    case text(String)

    /// The attributes of links, media and metadata.
    static let keptAttributes = Set(sources).union([
        "poster", "href", "data", "name", "value", "property", "content", "class", "width",
        "height", "style", "hidden",
    ])

    /// The attributes of a picture or video that have the address of its file, also until a script loads it.
    static let sources = [
        "src", "data-src", "data-lazy-src", "data-original", "srcset", "data-srcset",
        "data-lazy-srcset",
    ]
}

/// A document or fragment of HTML, or a document of XML, parsed by libxml2, which accepts any text.
@safe struct HTMLDocument: ~Copyable {
    enum Syntax {
        case html
        /// As far as it is well-formed; no document results from one that declares entities.
        case xml
    }

    private let syntax: Syntax
    private let document: xmlDocPtr?

    // xmlInitParser() must run before two threads parse at the same time.
    private static let initialized: Void = xmlInitParser()

    /// The maximum length of parsed HTML, in bytes: an article whose characters of Windows-1252 were replaced, of which
    /// each takes three bytes instead of two.
    ///
    /// libxml2 compares all attributes of a tag with each other, which would take seconds for a longer tag.
    static let largestText = TextLimit.article / 2 * 3

    /// Returns the nodes of `html`; none if it is longer than ``largestText``, for which callers have smaller limits.
    static func nodes(of html: String) -> [HTMLNode] {
        guard html.utf8.count <= largestText else { return [] }
        // The parser takes a NUL for the end of the text; other control characters are never shown.
        let bytes = Array(html.utf8).filter { $0 >= 0x20 || 0x09...0x0D ~= $0 }
        guard bytes.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
            // libxml2 drops the white space at the start, too.
            return [.text(String(decoding: bytes.drop { $0 <= 0x20 }, as: UTF8.self))]
        }
        return HTMLDocument(bytes, as: .html).nodes().withoutHiddenTexts
    }

    init(_ bytes: [UInt8], as syntax: Syntax) {
        Self.initialized
        self.syntax = syntax
        let size = CInt(clamping: bytes.count)
        let parsed: xmlDocPtr? = unsafe bytes.withUnsafeBytes { bytes in
            let text = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            return switch syntax {
            case .html: unsafe htmlReadMemory(text, size, nil, "UTF-8", Self.htmlOptions)
            case .xml: unsafe xmlReadMemory(text, size, nil, "UTF-8", Self.xmlOptions)
            }
        }
        let declaresEntities = unsafe syntax == .xml && parsed?.pointee.intSubset != nil
        if declaresEntities { unsafe xmlFreeDoc(parsed) }
        unsafe document = declaresEntities ? nil : parsed
    }

    private static let htmlOptions = [
        HTML_PARSE_RECOVER, HTML_PARSE_NOERROR, HTML_PARSE_NOWARNING, HTML_PARSE_NONET,
        HTML_PARSE_COMPACT,
    ].reduce(0) { $0 | CInt($1.rawValue) }

    private static let xmlOptions = [
        XML_PARSE_RECOVER, XML_PARSE_NOERROR, XML_PARSE_NOWARNING, XML_PARSE_NONET,
        XML_PARSE_NOCDATA,
    ].reduce(0) { $0 | CInt($1.rawValue) }

    deinit {
        unsafe xmlFreeDoc(document)
    }

    /// The scripts of MathML: what the children of an element are, in their order; `nil` for one that is none.
    ///
    /// In `<msup><mn>10</mn><mn>65</mn></msup>`, 65 is the exponent, as in HTML's `<sup>`.
    private static let scripts: [String: [String?]] = [
        "msup": [nil, "sup"], "msubsup": [nil, "sub", "sup"], "msub": [nil, "sub"],
        "mover": [nil, "sup"], "munder": [nil, "sub"], "munderover": [nil, "sub", "sup"],
    ]
    /// The other elements of MathML that have no text of their own: white space in them only arranges the source.
    private static let formulas: Set = [
        "math", "semantics", "mrow", "mstyle", "mfrac", "msqrt", "mroot",
    ]

    /// Returns all nodes of the document, with an opening and a closing node for each element, and around a script of a
    /// formula; a fraction has a slash, so that 1/2 is not 12.
    ///
    /// The walk does not recurse, because the nesting depth is not limited.
    func nodes() -> [HTMLNode] {
        var nodes: [HTMLNode] = []
        // There is no document without memory, or if it declares entities.
        guard let document = unsafe document else { return nodes }
        var next = unsafe xmlDocGetRootElement(document)
        while let node = unsafe next {
            var child: xmlNodePtr?
            switch unsafe node.pointee.type {
            case XML_ELEMENT_NODE:
                if let script = unsafe Self.script(of: node) {
                    nodes.append(.opening(script, attributes: [:]))
                }
                let name = unsafe Self.text(node.pointee.name)
                nodes.append(.opening(name, attributes: unsafe Self.attributes(of: node)))
                if name == "q" { nodes.append(.text("“")) }
                if let sign = unsafe Self.sign(before: node, name) { nodes.append(.text(sign)) }
                // The source of a formula, in another language.
                unsafe child = name == "annotation" ? nil : node.pointee.children
            // The contents of scripts and styles are of another type, as comments are.
            case XML_TEXT_NODE:
                let content = unsafe Self.text(node.pointee.content)
                let text = syntax == .html ? content.withReferencesResolved : content
                // In a formula, white space only arranges the source.
                let isShown = unsafe !TextNormalizer.isBlank(text) || !Self.isInFormula(node)
                if isShown { nodes.append(.text(text)) }
            default: break
            }
            unsafe next = child ?? Self.following(node, into: &nodes)
        }
        return nodes
    }

    /// Returns the node after `node` and its descendants, and appends the closing nodes in between.
    private static func following(_ node: xmlNodePtr, into nodes: inout [HTMLNode]) -> xmlNodePtr? {
        var current: xmlNodePtr? = unsafe node
        while let node = unsafe current, unsafe node.pointee.type != XML_HTML_DOCUMENT_NODE {
            if unsafe node.pointee.type == XML_ELEMENT_NODE {
                let name = unsafe text(node.pointee.name)
                if name == "q" { nodes.append(.text("”")) }
                nodes.append(.closing(name))
                if let script = unsafe script(of: node) { nodes.append(.closing(script)) }
            }
            if let next = unsafe node.pointee.next { return unsafe next }
            unsafe current = node.pointee.parent
        }
        return nil
    }

    /// The element of HTML that the element `node` of a formula is: see ``scripts``; `nil` for others.
    private static func script(of node: xmlNodePtr) -> String? {
        guard let names = unsafe scripts[parentName(of: node)] else { return nil }
        let position = unsafe elementCount(before: node)
        return position < names.count ? names[position] : nil
    }

    /// The signs that the element `node` of a formula begins with: of a denominator, of a root; `nil` for others.
    private static func sign(before node: xmlNodePtr, _ name: String) -> String? {
        let isDenominator =
            unsafe parentName(of: node) == "mfrac" && elementCount(before: node) == 1
        let isRoot = name == "msqrt" || name == "mroot"
        let signs = (isDenominator ? "/" : "") + (isRoot ? "√" : "")
        return signs.isEmpty ? nil : signs
    }

    /// Whether the element around `node` is one of MathML that has no text of its own.
    private static func isInFormula(_ node: xmlNodePtr) -> Bool {
        let name = unsafe parentName(of: node)
        return scripts[name] != nil || formulas.contains(name)
    }

    /// The name of the element around `node`; empty if there is none.
    private static func parentName(of node: xmlNodePtr) -> String {
        unsafe node.pointee.parent.map { unsafe text($0.pointee.name) } ?? ""
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

    private static func attributes(of node: xmlNodePtr) -> [String: String] {
        var attributes: [String: String] = [:]
        var next = unsafe node.pointee.properties
        while let attribute = unsafe next {
            let name = unsafe text(attribute.pointee.name)
            if HTMLNode.keptAttributes.contains(name) {
                let value = unsafe attribute.pointee.children.map {
                    unsafe text($0.pointee.content)
                }
                attributes[name] = value ?? (name == "hidden" ? "" : nil)
            }
            unsafe next = attribute.pointee.next
        }
        return attributes
    }

    private static func text(_ characters: UnsafePointer<xmlChar>?) -> String {
        guard let characters = unsafe characters else { return "" }
        return unsafe String(cString: characters).withWindowsCharacters
    }
}

extension [HTMLNode] {
    /// The same nodes without the texts of elements that a browser with scripts does not show; inline elements stay in them, as
    /// one may have the address of a picture.
    fileprivate var withoutHiddenTexts: [HTMLNode] {
        var depth = 0
        return filter { node in
            switch node {
            case .opening("noscript", _), .opening("template", _): depth += 1
            case .closing("noscript"), .closing("template"): depth -= 1
            case .text: return depth == 0
            case .opening(let name, _), .closing(let name):
                return depth == 0 || HTMLText.breaks(ofTag: name) == 0
            }
            return true
        }
    }
}

extension String {
    /// This HTML without the contents of files in it, as in `<img src="data:image/png;base64,AAAA">`.
    var withoutInlineFiles: String {
        guard contains(bytes: "data:") else { return self }
        let (starts, ends) = (Array("\"'=(".utf8), Array("\"'<>) ".utf8))
        var (kept, rest) = ([UInt8](), Array(utf8)[...])
        while let word = rest.firstRange(of: Array("data:".utf8)) {
            let isFile = rest[..<word.lowerBound].last.map(starts.contains) ?? false
            kept += rest[..<(isFile ? word.lowerBound : word.upperBound)]
            rest = rest[word.upperBound...]
            if isFile { rest = rest.drop { !ends.contains($0) } }
        }
        return String(decoding: kept + rest, as: UTF8.self)
    }

    /// The HTML of a text without what WordPress shows in other places: a caption as
    /// `[caption id="1"]<img src="a.jpg"> text[/caption]`.
    var withoutCaptions: String {
        guard utf8.contains(UInt8(ascii: "[")) else { return self }
        var text = self
        while let start = text.firstRange(of: "[caption")?.lowerBound,
            // Without its end, only the mark is left out.
            let end = ["[/caption]", "]"].lazy.compactMap({
                text[start...].firstRange(of: $0)?.upperBound
            }).first
        {
            text.removeSubrange(start..<end)
        }
        return text
    }
}
