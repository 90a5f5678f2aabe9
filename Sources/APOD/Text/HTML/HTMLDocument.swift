internal import CXML
internal import Platform

/// A tag or a text of a web page: `<b>M 31</b>` is an opening tag, a text and a closing tag.
///
/// Each opening tag has a closing tag. libxml2 adds the elements `html`, `body` and `p` around a fragment.
enum HTMLNode: Hashable, Sendable {
    /// The name of the element in lower case, and those of its attributes that ``keptAttributes`` names and that have a value.
    ///
    /// `hidden` is included without a value, too.
    case opening(String, attributes: [String: String])
    case closing(String)
    /// Text, in which `&amp;` has become `&`; the text of scripts and styles is omitted.
    case text(String)

    /// The attributes of links, media and metadata.
    static let keptAttributes = Set(sources).union([
        "poster", "href", "data", "name", "value", "property", "content", "class", "width",
        "height", "style", "hidden",
    ])

    /// The attributes with the address of a picture or video, which some pages load later by a script.
    static let sources = [
        "src", "data-src", "data-lazy-src", "data-original", "srcset", "data-srcset",
        "data-lazy-srcset",
    ]
}

extension HTMLNode {
    /// The text; empty for a tag.
    var plainText: String { if case .text(let text) = self { text } else { "" } }

    /// Whether it is a tag that begins a new line of text.
    var breaksLine: Bool {
        switch self {
        case .opening(let name, _), .closing(let name): HTMLText.breaks(ofTag: name) > 0
        case .text: false
        }
    }
}

/// Parses NASA's HTML, and the XML of its RSS feed, with libxml2 into a list of ``HTMLNode``.
@safe struct HTMLDocument: ~Copyable {
    private enum Syntax { case html, xml }

    /// The maximum length of HTML, in bytes: libxml2 compares all attributes of a tag with each other, which takes long.
    ///
    /// An article may become longer by half when its characters of Windows-1252 are replaced: three bytes instead of two.
    static let largestText = TextLimit.article / 2 * 3

    /// Returns the nodes of a web page or a part of one; none if it is longer than ``largestText``.
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

    /// Returns the nodes of an XML document up to its first error.
    ///
    /// A document that declares entities has no nodes, because entities can make a short text endless.
    static func nodes(ofXML xml: String) -> [HTMLNode] {
        // XML forbids a blank line at the start, which WordPress may send, and control characters.
        let bytes = xml.utf8.filter { $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }
        return HTMLDocument(Array(bytes.drop { $0 <= 0x20 }), as: .xml).nodes()
    }

    // MARK: Parsing

    /// `nil` if memory is used up, and for XML that declares entities.
    private let document: xmlDocPtr?
    private let syntax: Syntax

    // xmlInitParser() must run before two threads parse at the same time.
    private static let initialized: Void = xmlInitParser()

    private static let htmlOptions = [
        HTML_PARSE_RECOVER, HTML_PARSE_NOERROR, HTML_PARSE_NOWARNING, HTML_PARSE_NONET,
        HTML_PARSE_COMPACT,
    ].reduce(0) { $0 | CInt($1.rawValue) }

    private static let xmlOptions = [
        XML_PARSE_RECOVER, XML_PARSE_NOERROR, XML_PARSE_NOWARNING, XML_PARSE_NONET,
        XML_PARSE_NOCDATA,
    ].reduce(0) { $0 | CInt($1.rawValue) }

    private init(_ bytes: [UInt8], as syntax: Syntax) {
        Self.initialized
        self.syntax = syntax
        let parsed = unsafe bytes.withUnsafeBytes { bytes -> xmlDocPtr? in
            guard let size = CInt(exactly: bytes.count) else { return nil }
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            return switch syntax {
            case .html: unsafe htmlReadMemory(start, size, nil, "UTF-8", Self.htmlOptions)
            case .xml: unsafe xmlReadMemory(start, size, nil, "UTF-8", Self.xmlOptions)
            }
        }
        // HTML names its document type, but declares nothing there.
        let declaresEntities = unsafe syntax == .xml && parsed?.pointee.intSubset != nil
        if declaresEntities { unsafe xmlFreeDoc(parsed) }
        unsafe document = declaresEntities ? nil : parsed
    }

    deinit {
        unsafe xmlFreeDoc(document)
    }

    // MARK: The nodes

    /// All nodes, with the quotation marks of a `<q>`, and with the tags and signs that ``Formula`` adds.
    ///
    /// The walk does not recurse, because the depth of nesting is not limited.
    private func nodes() -> [HTMLNode] {
        var nodes: [HTMLNode] = []
        guard let document = unsafe document else { return nodes }
        var next = unsafe xmlDocGetRootElement(document)
        while let node = unsafe next {
            var child: xmlNodePtr?
            switch unsafe node.pointee.type {
            case XML_ELEMENT_NODE:
                if let script = unsafe Formula.script(of: node) {
                    nodes.append(.opening(script, attributes: [:]))
                }
                let name = unsafe Self.name(node.pointee.name)
                nodes.append(.opening(name, attributes: unsafe Self.attributes(of: node)))
                if name == "q" { nodes.append(.text("“")) }
                if let sign = unsafe Formula.sign(before: node) { nodes.append(.text(sign)) }
                unsafe child = Formula.isSource(name) ? nil : node.pointee.children
            case XML_TEXT_NODE:
                let content = unsafe Self.text(node.pointee.content)
                let text = syntax == .html ? content.withReferencesResolved : content
                // In a formula, white space only arranges the source.
                let isShown = unsafe !TextNormalizer.isBlank(text) || !Formula.isAround(node)
                if isShown { nodes.append(.text(text)) }
            // Comments, and the contents of scripts and styles.
            default: break
            }
            unsafe next = child ?? Self.following(node, into: &nodes)
        }
        return nodes
    }

    /// Returns the node that follows `node` and its descendants, and appends the closing tags that come before it.
    private static func following(_ node: xmlNodePtr, into nodes: inout [HTMLNode]) -> xmlNodePtr? {
        var current: xmlNodePtr? = unsafe node
        while let node = unsafe current, unsafe node.pointee.type != XML_HTML_DOCUMENT_NODE {
            if unsafe node.pointee.type == XML_ELEMENT_NODE {
                let name = unsafe Self.name(node.pointee.name)
                if name == "q" { nodes.append(.text("”")) }
                nodes.append(.closing(name))
                if let script = unsafe Formula.script(of: node) { nodes.append(.closing(script)) }
            }
            if let next = unsafe node.pointee.next { return unsafe next }
            unsafe current = node.pointee.parent
        }
        return nil
    }

    private static func attributes(of node: xmlNodePtr) -> [String: String] {
        var attributes: [String: String] = [:]
        var next = unsafe node.pointee.properties
        while let attribute = unsafe next {
            let name = unsafe Self.name(attribute.pointee.name)
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
        unsafe name(characters).withWindowsCharacters
    }

    /// Copies the name of an element or attribute; empty for the name of a document.
    static func name(_ characters: UnsafePointer<xmlChar>?) -> String {
        guard let characters = unsafe characters else { return "" }
        return unsafe String(cString: characters)
    }
}

extension [HTMLNode] {
    /// The same nodes without the texts in `<noscript>` and `<template>`, which a browser with scripts does not show.
    ///
    /// Inline elements within them stay, because such an element may have the address of a picture.
    fileprivate var withoutHiddenTexts: [HTMLNode] {
        /// The number of open elements whose text is hidden.
        var hiddenDepth = 0
        return filter { node in
            switch node {
            case .opening("noscript", _), .opening("template", _): hiddenDepth += 1
            case .closing("noscript"), .closing("template"): hiddenDepth -= 1
            case .text: return hiddenDepth == 0
            case .opening, .closing: return hiddenDepth == 0 || !node.breaksLine
            }
            return true
        }
    }
}

extension [HTMLNode] {
    /// The same nodes without the blanks that NASA's texts have beside links: see ``TextNormalizer/strayBlanks(in:)``.
    ///
    /// A blank and the punctuation after it may be in different nodes; therefore all texts of a line are searched together.
    var withoutStrayBlanks: [HTMLNode] {
        var nodes = self
        for line in indices.split(whereSeparator: { self[$0].breaksLine }) {
            nodes.removeStrayBlanks(in: line)
        }
        return nodes
    }

    /// Removes the stray blanks of the line with the nodes at `indices`.
    private mutating func removeStrayBlanks(in indices: Range<Int>) {
        let textIndices = indices.filter { if case .text = self[$0] { true } else { false } }
        var texts = textIndices.map { Array<UInt8>(self[$0].plainText.utf8) }
        let blanks = TextNormalizer.strayBlanks(in: texts.flatMap(\.self))
        guard !blanks.isEmpty else { return }
        for blank in blanks.reversed() {
            /// The offset in the line at which the text at `index` begins.
            var start = 0
            for index in texts.indices {
                let end = start + texts[index].count
                let part = blank.clamped(to: start..<end)
                if !part.isEmpty {
                    texts[index].removeSubrange(part.lowerBound - start..<part.upperBound - start)
                }
                start = end
            }
        }
        for (index, text) in zip(textIndices, texts) {
            self[index] = .text(String(decoding: text, as: UTF8.self))
        }
    }
}
