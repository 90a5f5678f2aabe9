internal import CXML
internal import Glibc

/// An XMP packet parsed by libxml2, of which single properties are changed.
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

    /// The most bytes of a packet, and about the most elements and attributes in it.
    ///
    /// Programs for photographs write a few kilobytes. The time that a change takes grows with both.
    static let (largest, mostNodes) = (256 << 10, 5_000)

    /// Whether `bytes` are within the limits, before anything is made of them: each element and attribute has one
    /// of these characters at least.
    private static func isSmall(_ bytes: [UInt8]) -> Bool {
        let marks = bytes.count { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "=") }
        // An element has two marks with its end.
        // mutation test: sidecar-nodes
        return bytes.count <= largest && marks <= 2 * mostNodes
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
            let rdf = unsafe ([root] + Self.children(of: root)).first(where: {
                unsafe Self.isElement($0, "RDF", .rdf)
            })
        else {
            unsafe xmlFreeDoc(document)
            return nil
        }
        unsafe self.document = document
        unsafe self.rdf = rdf
    }

    deinit { unsafe xmlFreeDoc(document) }

    /// Returns the document in UTF-8, with the white space that it has.
    ///
    /// - Parameter isIndented: Whether the elements of a new packet are indented.
    /// - Returns: `nil` if there is no memory, or if it is larger than what can be read again.
    func bytes(isIndented: Bool) -> [UInt8]? {
        var text: UnsafeMutablePointer<xmlChar>?
        var count: CInt = 0
        unsafe xmlDocDumpFormatMemoryEnc(document, &text, &count, "UTF-8", isIndented ? 1 : 0)
        defer { unsafe free(text) }
        let bytes = unsafe text.map {
            unsafe Array(UnsafeBufferPointer(start: $0, count: Int(count)))
        }
        return bytes.flatMap { Self.isSmall($0) ? $0 : nil }
    }

    // MARK: Properties

    /// What the mirror wrote; see ``SidecarMark``.
    ///
    /// Another program may have made an element of the attribute.
    var mark: String? {
        get { value(of: Self.markName, .mirror) }
        set {
            remove(Self.markName, .mirror)
            let description = unsafe description
            let namespace = unsafe namespace(.mirror, at: description)
            unsafe xmlNewNsProp(description, namespace, Self.markName, newValue)
        }
    }

    /// The value of `property`: its text, or that of the default language or first item; `nil` if it is
    /// absent.
    func value(of property: XMPProperty) -> String? {
        value(of: property.rawValue, property.namespace)
    }

    private func value(of name: String, _ namespace: XMPNamespace) -> String? {
        if let attribute = unsafe attribute(name, namespace) {
            return unsafe text(of: attribute.pointee.children)
        }
        guard let element = unsafe element(name, namespace) else { return nil }
        let item = unsafe item(in: element)
        return unsafe text(of: (item ?? element).pointee.children)
    }

    /// Changes the value of `property`; other languages of it stay.
    func set(_ property: XMPProperty, to value: String?) {
        if let element = unsafe element(property.rawValue, property.namespace),
            let item = unsafe item(in: element)
        {
            if let value {
                unsafe replaceContent(of: item, by: value)
                return
            }
            let others = unsafe Self.children(of: item.pointee.parent).count {
                unsafe Self.isElement($0, "li", .rdf)
            }
            if others > 1 {
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
        // Unlike xmlNodeSetContent(), it takes an ampersand for itself.
        unsafe xmlAddChild(node, xmlNewDocText(document, text))
    }

    /// Removes a property, as attribute and as element, from all descriptions.
    private func remove(_ name: String, _ namespace: XMPNamespace) {
        let descriptions = unsafe descriptions
        var attributes = unsafe descriptions.compactMap { description in
            unsafe xmlHasNsProp(description, name, namespace.uri)
        }
        while let attribute = unsafe attributes.popLast() { unsafe xmlRemoveProp(attribute) }
        var elements = unsafe descriptions.flatMap { unsafe Self.children(of: $0) }
            .filter { unsafe Self.isElement($0, name, namespace) }
        while let element = unsafe elements.popLast() {
            unsafe xmlUnlinkNode(element)
            unsafe xmlFreeNode(element)
        }
    }

    /// The first attribute of that name of a description.
    private func attribute(_ name: String, _ namespace: XMPNamespace) -> xmlAttrPtr? {
        unsafe descriptions.lazy.compactMap { unsafe xmlHasNsProp($0, name, namespace.uri) }.first
    }

    /// The first element of that name in a description.
    private func element(_ name: String, _ namespace: XMPNamespace) -> xmlNodePtr? {
        unsafe descriptions.lazy.flatMap { unsafe Self.children(of: $0) }.first {
            unsafe Self.isElement($0, name, namespace)
        }
    }

    /// The item of the default language, else the first, of a property with items.
    private func item(in element: xmlNodePtr) -> xmlNodePtr? {
        guard let list = unsafe Self.children(of: element).first else { return nil }
        let items = unsafe Self.children(of: list).filter { unsafe Self.isElement($0, "li", .rdf) }
        let localized = unsafe items.first { item in
            unsafe xmlHasNsProp(item, "lang", Self.xmlNamespace).map {
                unsafe text(of: $0.pointee.children) == "x-default"
            } ?? false
        }
        return unsafe localized ?? items.first
    }

    // MARK: Nodes

    private var descriptions: [xmlNodePtr] {
        unsafe Self.children(of: rdf).filter { unsafe Self.isElement($0, "Description", .rdf) }
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

    /// The elements inside `node`.
    private static func children(of node: xmlNodePtr?) -> [xmlNodePtr] {
        var nodes: [xmlNodePtr] = unsafe []
        var next = unsafe xmlFirstElementChild(node)
        while let node = unsafe next {
            unsafe nodes.append(node)
            unsafe next = xmlNextElementSibling(node)
        }
        return unsafe nodes
    }

    private static func isElement(
        _ node: xmlNodePtr, _ name: String, _ namespace: XMPNamespace
    ) -> Bool {
        unsafe xmlStrEqual(node.pointee.name, name) != 0
            && xmlStrEqual(node.pointee.ns?.pointee.href, namespace.uri) != 0
    }

    /// The text of `first` and its siblings.
    private func text(of first: xmlNodePtr?) -> String {
        guard let text = unsafe xmlNodeListGetString(document, first, 1) else { return "" }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }
}
