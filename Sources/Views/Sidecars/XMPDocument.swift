internal import CXML
internal import Glibc

/// An XMP packet of any program, parsed by libxml2: single properties are changed, and all else stays as it is.
///
/// No pointer into the document leaves this class. If memory is exhausted, a changed property may be lost.
@safe final class XMPDocument {
    private let document: xmlDocPtr
    /// The element `rdf:RDF`.
    private let rdf: xmlNodePtr

    /// A packet without properties.
    static let empty = Array(
        """
        <?xpacket begin="\u{feff}" id="W5M0MpCehiHzreSzNTczkc9d"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="\(XMPNamespace.rdf.uri)"/></x:xmpmeta>
        <?xpacket end="w"?>
        """.utf8)

    private static let markName = "Written"
    /// The namespace of `xml:lang`; see XML_XML_NAMESPACE.
    private static let xmlNamespace = "http://www.w3.org/XML/1998/namespace"

    // xmlInitParser() must run before two threads parse at the same time.
    private static let initialized: Void = xmlInitParser()
    /// The maximum size of a packet, in bytes: programs for photographs write a few kilobytes.
    static let maximumSize = 256 << 10
    /// About the maximum number of elements and attributes in it, on which the time of a change depends.
    static let maximumNodes = 5_000

    /// Whether `bytes` are within the limits, before anything is made of them.
    ///
    /// An attribute has one of the two characters, an element one or, with its end tag, two.
    private static func isSmall(_ bytes: [UInt8]) -> Bool {
        let marks = bytes.count { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "=") }
        // mutation test: sidecar-nodes
        return bytes.count <= maximumSize && marks <= 2 * maximumNodes
    }

    /// Returns `nil` if `bytes` are not XML with an element `rdf:RDF`, or more than the limits allow.
    ///
    /// No entity is expanded and nothing is loaded; a document with a type declaration is not read.
    init?(_ bytes: [UInt8]) {
        Self.initialized
        guard Self.isSmall(bytes) else { return nil }
        let options = [XML_PARSE_NONET, XML_PARSE_NOERROR, XML_PARSE_NOWARNING]
        let parsed: xmlDocPtr? = unsafe bytes.withUnsafeBytes { bytes in
            guard let size = CInt(exactly: bytes.count) else { return nil }
            return unsafe xmlReadMemory(
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self), size, nil, nil,
                options.reduce(0) { $0 | CInt($1.rawValue) })
        }
        guard let document = unsafe parsed else { return nil }
        // The root or one of its children.
        guard unsafe document.pointee.intSubset == nil,
            let root = unsafe xmlDocGetRootElement(document),
            let rdf = unsafe Self.elements("RDF", .rdf, among: [root] + Self.children(of: root))
                .first
        else {
            unsafe xmlFreeDoc(document)
            return nil
        }
        unsafe self.document = document
        unsafe self.rdf = rdf
    }

    deinit { unsafe xmlFreeDoc(document) }

    /// The document in UTF-8, with its white space, or indented if it is new; `nil` if it is too large to be read
    /// again, or memory is exhausted.
    func bytes(isIndented: Bool) -> [UInt8]? {
        var text: UnsafeMutablePointer<xmlChar>?
        var count: CInt = 0
        unsafe xmlDocDumpFormatMemoryEnc(document, &text, &count, "UTF-8", isIndented ? 1 : 0)
        // xmlFree() is a variable, which Swift 6 cannot use; libxml2 uses malloc(3) unless it is configured.
        defer { unsafe free(text) }
        let bytes = unsafe text.map {
            unsafe Array(UnsafeBufferPointer(start: $0, count: Int(count)))
        }
        return bytes.flatMap { Self.isSmall($0) ? $0 : nil }
    }

    // MARK: Properties

    /// The text of the ``SidecarMark``; `nil` if the mirror never wrote into this packet.
    ///
    /// The mirror writes an attribute, of which another program may have made an element.
    var mark: String? { value(of: Self.markName, .mirror) }

    func setMark(_ text: String) {
        remove(Self.markName, .mirror)
        let description = unsafe description
        let namespace = unsafe namespace(.mirror, at: description)
        unsafe xmlNewNsProp(description, namespace, Self.markName, text)
    }

    /// The value of `property`: its text, or that of the default language or first item; `nil` if it is
    /// absent.
    func value(of property: XMPProperty) -> String? {
        value(of: property.rawValue, property.namespace)
    }

    private func value(of name: String, _ namespace: XMPNamespace) -> String? {
        let attributes = unsafe descriptions.lazy.compactMap { description in
            unsafe xmlHasNsProp(description, name, namespace.uri)
        }
        if let first = unsafe attributes.first { return unsafe text(of: first.pointee.children) }
        guard let element = unsafe element(name, namespace) else { return nil }
        let item = unsafe item(in: element)
        return unsafe text(of: (item ?? element).pointee.children)
    }

    /// Changes or removes the value that ``value(of:)`` returns; its other languages and items stay.
    func set(_ property: XMPProperty, to value: String?) {
        // A packet has a property once, as attribute or as element; see ISO 16684-1.
        if let element = unsafe element(property.rawValue, property.namespace),
            let item = unsafe item(in: element)
        {
            if let value {
                unsafe replaceContent(of: item, by: value)
                return
            }
            let siblings = unsafe Self.children(of: item.pointee.parent)
            if unsafe Self.elements("li", .rdf, among: siblings).count > 1 {
                unsafe xmlUnlinkNode(item)
                unsafe xmlFreeNode(item)
                return
            }
        }
        remove(property.rawValue, property.namespace)
        if let value { add(property, value) }
    }

    private func add(_ property: XMPProperty, _ value: String) {
        let description = unsafe description
        let namespace = unsafe namespace(property.namespace, at: description)
        let element = unsafe xmlNewChild(description, namespace, property.rawValue, nil)
        guard let element = unsafe element else { return }
        guard let container = property.container else {
            return unsafe replaceContent(of: element, by: value)
        }
        let rdfNamespace = unsafe rdf.pointee.ns
        guard let list = unsafe xmlNewChild(element, rdfNamespace, container.rawValue, nil),
            let item = unsafe xmlNewChild(list, rdfNamespace, "li", nil)
        else { return }
        if container == .localized { unsafe xmlNodeSetLang(item, "x-default") }
        unsafe replaceContent(of: item, by: value)
    }

    private func replaceContent(of node: xmlNodePtr, by text: String) {
        while let child = unsafe node.pointee.children {
            unsafe xmlUnlinkNode(child)
            unsafe xmlFreeNode(child)
        }
        // Unlike xmlNodeSetContent(), it takes an ampersand as such.
        unsafe xmlAddChild(node, xmlNewDocText(document, text))
    }

    /// Removes a property, as attribute and as element, from all descriptions.
    private func remove(_ name: String, _ namespace: XMPNamespace) {
        let descriptions = unsafe descriptions
        var attributes = unsafe descriptions.compactMap { description in
            unsafe xmlHasNsProp(description, name, namespace.uri)
        }
        while let attribute = unsafe attributes.popLast() { unsafe xmlRemoveProp(attribute) }
        var elements = unsafe Self.elements(
            name, namespace, among: descriptions.flatMap { unsafe Self.children(of: $0) })
        while let element = unsafe elements.popLast() {
            unsafe xmlUnlinkNode(element)
            unsafe xmlFreeNode(element)
        }
    }

    /// The first element of that name in a description.
    private func element(_ name: String, _ namespace: XMPNamespace) -> xmlNodePtr? {
        unsafe Self.elements(
            name, namespace, among: descriptions.flatMap { unsafe Self.children(of: $0) }
        ).first
    }

    /// The item of the default language, else the first, of a property with items.
    private func item(in element: xmlNodePtr) -> xmlNodePtr? {
        guard let list = unsafe Self.children(of: element).first else { return nil }
        let items = unsafe Self.elements("li", .rdf, among: Self.children(of: list))
        let localized = unsafe items.first { item in
            unsafe xmlHasNsProp(item, "lang", Self.xmlNamespace).map {
                unsafe text(of: $0.pointee.children) == "x-default"
            } ?? false
        }
        return unsafe localized ?? items.first
    }

    // MARK: Nodes

    private var descriptions: [xmlNodePtr] {
        unsafe Self.elements("Description", .rdf, among: Self.children(of: rdf))
    }

    /// The description that new properties are added to.
    private var description: xmlNodePtr {
        if let first = unsafe descriptions.first { return unsafe first }
        guard let new = unsafe xmlNewChild(rdf, rdf.pointee.ns, "Description", nil) else {
            return unsafe rdf
        }
        unsafe xmlNewNsProp(new, rdf.pointee.ns, "about", "")
        return unsafe new
    }

    /// The declaration of `namespace` that is valid at `node`; made there if there is none.
    private func namespace(_ namespace: XMPNamespace, at node: xmlNodePtr) -> xmlNsPtr? {
        if let known = unsafe xmlSearchNsByHref(document, node, namespace.uri),
            unsafe known.pointee.prefix != nil
        {
            return unsafe known
        }
        // Another meaning of the prefix must not be hidden.
        var prefix = namespace.prefix
        while unsafe xmlSearchNs(document, node, prefix) != nil { prefix += "1" }
        return unsafe xmlNewNs(node, namespace.uri, prefix)
    }

    private static func children(of node: xmlNodePtr?) -> [xmlNodePtr] {
        var nodes: [xmlNodePtr] = unsafe []
        var next = unsafe xmlFirstElementChild(node)
        while let node = unsafe next {
            unsafe nodes.append(node)
            unsafe next = xmlNextElementSibling(node)
        }
        return unsafe nodes
    }

    /// Those of `nodes` that have this name.
    private static func elements(
        _ name: String, _ namespace: XMPNamespace, among nodes: [xmlNodePtr]
    ) -> [xmlNodePtr] {
        unsafe nodes.filter { node in
            unsafe xmlStrEqual(node.pointee.name, name) != 0
                && xmlStrEqual(node.pointee.ns?.pointee.href, namespace.uri) != 0
        }
    }

    /// The text of `first` and its siblings.
    private func text(of first: xmlNodePtr?) -> String {
        guard let text = unsafe xmlNodeListGetString(document, first, 1) else { return "" }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }
}
