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

    // MARK: Line breaks

    /// The elements that are part of a line of text; before and after any other element, a browser breaks the line.
    private static let inlineElements: Set<String> = [
        "a", "abbr", "acronym", "annotation", "area", "audio", "b", "bdi", "bdo", "big", "button",
        "canvas", "cite", "code", "data", "del", "dfn", "em", "embed", "font", "i", "iframe", "img",
        "input", "ins", "kbd", "label", "map", "mark", "math", "meter", "mfrac", "mi", "mn", "mo",
        "mover", "mroot", "mrow", "ms", "mspace", "msqrt", "mstyle", "msub", "msubsup", "msup",
        "mtext", "munder", "munderover", "nobr", "noscript", "object", "output", "param", "picture",
        "progress", "q", "rb", "rp", "rt", "ruby", "s", "samp", "script", "select", "semantics",
        "small", "source", "span", "strike", "strong", "style", "sub", "sup", "svg", "template",
        "time", "track", "tt", "u", "var", "video", "wbr",
    ]

    /// The number of line breaks between two paragraphs, which a blank line separates.
    static let breaksOfParagraph = 2

    /// The number of line breaks that the tag of an element with this name stands for.
    static func breaks(ofTag name: String) -> Int {
        switch name {
        case _ where inlineElements.contains(name): 0
        case "br", "td", "th": 1
        default: breaksOfParagraph
        }
    }

    /// Whether it is a tag that begins a new line of text.
    var breaksLine: Bool {
        switch self {
        case .opening(let name, _), .closing(let name): Self.breaks(ofTag: name) > 0
        case .text: false
        }
    }
}

extension [HTMLNode] {
    /// The text of the first `<title>` of a page, up to a tag in it; `nil` if there is none.
    var pageTitle: String? {
        let opening = firstIndex { if case .opening("title", _) = $0 { true } else { false } }
        guard let opening, case .text(let text) = dropFirst(opening + 1).first else { return nil }
        return text
    }
}
