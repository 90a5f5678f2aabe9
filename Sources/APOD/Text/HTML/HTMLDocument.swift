internal import CXML
internal import Platform

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
    /// A document with a document type declaration has no nodes, because the entities in it can make a short text endless.
    static func nodes(ofXML xml: String) -> [HTMLNode] {
        // XML forbids a blank line at the start, which WordPress may send, and control characters.
        let bytes = xml.utf8.filter { $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }
        return HTMLDocument(Array(bytes.drop { $0 <= 0x20 }), as: .xml).nodes()
    }

    /// `nil` if libxml2 could make no document, and for XML with a document type declaration.
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
        // HTML has such a declaration, too, but no entities in it.
        if syntax == .xml, unsafe parsed?.pointee.intSubset != nil {
            unsafe xmlFreeDoc(parsed)
            unsafe document = nil
        } else {
            unsafe document = parsed
        }
    }

    deinit {
        unsafe xmlFreeDoc(document)
    }

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
                unsafe child = Self.open(node, in: &nodes)
            case XML_TEXT_NODE:
                let text = unsafe text(of: node)
                let isIgnored =
                    unsafe TextNormalizer.isBlank(text) && Formula.ignoresWhiteSpace(at: node)
                if !isIgnored { nodes.append(.text(text)) }
            // Comments, and the contents of scripts and styles.
            default: break
            }
            unsafe next = child ?? Self.following(node, closingIn: &nodes)
        }
        return nodes
    }

    /// Appends the opening tag of `element`, and the text before its contents; returns its first child, if that is shown.
    private static func open(_ element: xmlNodePtr, in nodes: inout [HTMLNode]) -> xmlNodePtr? {
        if let script = unsafe Formula.scriptTag(of: element) {
            nodes.append(.opening(script, attributes: [:]))
        }
        let name = unsafe string(element.pointee.name)
        nodes.append(.opening(name, attributes: unsafe attributes(of: element)))
        if name == "q" { nodes.append(.text("“")) }
        let signs = unsafe Formula.signs(before: element)
        if !signs.isEmpty { nodes.append(.text(signs)) }
        return unsafe name == Formula.source ? nil : element.pointee.children
    }

    private static func close(_ element: xmlNodePtr, in nodes: inout [HTMLNode]) {
        let name = unsafe string(element.pointee.name)
        if name == "q" { nodes.append(.text("”")) }
        nodes.append(.closing(name))
        if let script = unsafe Formula.scriptTag(of: element) { nodes.append(.closing(script)) }
    }

    /// Returns the node that follows `node` and its descendants, after the closing tags that come before it.
    private static func following(
        _ node: xmlNodePtr, closingIn nodes: inout [HTMLNode]
    ) -> xmlNodePtr? {
        var current: xmlNodePtr? = unsafe node
        while let node = unsafe current, unsafe node.pointee.type != XML_HTML_DOCUMENT_NODE {
            if unsafe node.pointee.type == XML_ELEMENT_NODE { unsafe close(node, in: &nodes) }
            if let next = unsafe node.pointee.next { return unsafe next }
            unsafe current = node.pointee.parent
        }
        return nil
    }

    private func text(of node: xmlNodePtr) -> String {
        let text = unsafe Self.string(node.pointee.content).withWindowsCharacters
        return syntax == .html ? text.withReferencesResolved : text
    }

    private static func attributes(of element: xmlNodePtr) -> [String: String] {
        var attributes: [String: String] = [:]
        var next = unsafe element.pointee.properties
        while let attribute = unsafe next {
            let name = unsafe string(attribute.pointee.name)
            if HTMLNode.keptAttributes.contains(name) {
                if let value = unsafe attribute.pointee.children {
                    attributes[name] = unsafe string(value.pointee.content).withWindowsCharacters
                } else if name == "hidden" {
                    attributes[name] = ""
                }
            }
            unsafe next = attribute.pointee.next
        }
        return attributes
    }

    /// Copies a string of libxml2; empty for `nil`, which is the name of a document.
    static func string(_ characters: UnsafePointer<xmlChar>?) -> String {
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
