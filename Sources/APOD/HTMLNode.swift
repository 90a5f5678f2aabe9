/// One piece of an HTML document, in the order of the text.
enum HTMLNode: Hashable, Sendable {
    /// The names of elements and attributes come in lower case.
    case opening(String, attributes: [String: String])
    case closing(String)
    /// Text with its entities resolved; never that of a script or a style.
    case text(String)
}
