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

extension HTMLNode {
    /// The text; empty for a tag.
    var plainText: String { if case .text(let text) = self { text } else { "" } }

    /// Whether a new line of text begins here.
    var breaksLine: Bool {
        switch self {
        case .opening(let name, _), .closing(let name): HTMLText.breaks(ofTag: name) > 0
        case .text: false
        }
    }
}
