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
