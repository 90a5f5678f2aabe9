/// One piece of an HTML document, in the order of the text.
enum HTMLNode: Hashable, Sendable {
    /// Names come in lower case; of the attributes only ``attributes`` do.
    case opening(String, attributes: [String: String])
    case closing(String)
    /// Text with its entities resolved; never that of a script or a style.
    case text(String)

    /// The attributes that say where media is and where links lead.
    static let attributes: Set<String> = ["src", "poster", "href", "data", "name", "value"]
}
