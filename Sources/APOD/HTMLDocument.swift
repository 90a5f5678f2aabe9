internal import CXML

/// An HTML document or fragment, parsed by libxml2, which takes any text for HTML.
@safe struct HTMLDocument: ~Copyable {
    private let document: htmlDocPtr?

    /// The nodes of `html`, `nil` where it has more tags than ``HTMLSanitizer/tagLimit``.
    static func nodes(of html: String) -> [HTMLNode]? {
        HTMLSanitizer.sanitized(html).map { HTMLDocument($0).nodes() }
    }

    /// Parses `bytes`, which are sanitized.
    private init(_ bytes: [UInt8]) {
        Self.initialized
        let options = [
            HTML_PARSE_RECOVER, HTML_PARSE_NOERROR, HTML_PARSE_NOWARNING, HTML_PARSE_NONET,
            HTML_PARSE_COMPACT,
        ]
        unsafe document = unsafe bytes.withUnsafeBytes { bytes in
            guard let size = CInt(exactly: bytes.count) else { return nil }
            return unsafe htmlReadMemory(
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self), size, nil, "UTF-8",
                options.reduce(0) { $0 | CInt($1.rawValue) })
        }
    }

    deinit {
        unsafe xmlFreeDoc(document)
    }

    /// All nodes of the document, each element opened and closed.
    ///
    /// The walk does not recurse: how deep elements are nested is NASA's choice, not ours.
    private func nodes() -> [HTMLNode] {
        var nodes: [HTMLNode] = []
        guard let document = unsafe document else { return nodes }
        var next = unsafe xmlDocGetRootElement(document)
        while let node = unsafe next {
            unsafe Self.open(node, into: &nodes)
            if unsafe node.pointee.type == XML_ELEMENT_NODE,
                let child = unsafe node.pointee.children
            {
                unsafe next = child
                continue
            }
            unsafe next = Self.following(node, into: &nodes)
        }
        return nodes
    }

    // xmlInitParser(3) must have run before two threads parse at once.
    private static let initialized: Void = xmlInitParser()

    private static func open(_ node: xmlNodePtr, into nodes: inout [HTMLNode]) {
        switch unsafe node.pointee.type {
        case XML_ELEMENT_NODE:
            nodes.append(
                .opening(unsafe text(node.pointee.name), attributes: unsafe attributes(of: node)))
        case XML_TEXT_NODE:
            nodes.append(.text(unsafe text(node.pointee.content)))
        default:
            break
        }
    }

    /// The node after `node` and all below it; the elements that end on the way are closed.
    private static func following(
        _ node: xmlNodePtr, into nodes: inout [HTMLNode]
    ) -> xmlNodePtr? {
        var current: xmlNodePtr? = unsafe node
        while let node = unsafe current, unsafe node.pointee.type != XML_HTML_DOCUMENT_NODE {
            if unsafe node.pointee.type == XML_ELEMENT_NODE {
                nodes.append(.closing(unsafe text(node.pointee.name)))
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
            let name = unsafe text(attribute.pointee.name)
            if HTMLNode.attributes.contains(name) {
                let value = unsafe attribute.pointee.children
                attributes[name] = unsafe value.map { unsafe text($0.pointee.content) } ?? ""
            }
            unsafe next = attribute.pointee.next
        }
        return attributes
    }

    private static func text(_ characters: UnsafePointer<xmlChar>?) -> String {
        guard let characters = unsafe characters else { return "" }
        return unsafe String(cString: characters)
    }
}
