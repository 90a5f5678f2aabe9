/// The visible text of an HTML fragment without white space, and its links, whose ranges are those of this text.
///
/// ``TextLink/all(in:from:)`` searches a plain text in it, to find the links of the plain text.
struct VisibleText {
    /// The text in UTF-8.
    private var bytes: [UInt8] = []
    private(set) var links: [TextLink] = []
    /// The link whose end tag was not read yet.
    private var openLink: (start: Int, address: String)?

    init(_ nodes: [HTMLNode]) {
        for node in nodes {
            switch node {
            case .opening("a", let attributes):
                openLink = attributes["href"].map { (bytes.count, $0) }
            case .closing("a"): endLink()
            case .text(let text): append(text)
            case .opening, .closing: break
            }
        }
    }

    /// The offset of `text` in this text; `nil` if this text does not contain it.
    func offset(of text: [UInt8]) -> Int? {
        guard text.count <= bytes.count else { return nil }
        return (0...bytes.count - text.count).first { bytes[$0...].starts(with: text) }
    }

    private mutating func append(_ text: String) {
        for scalar in text.unicodeScalars where TextNormalizer.isVisible(scalar) {
            // Most scalars are ASCII, and this is faster.
            if scalar.isASCII { bytes.append(UInt8(ascii: scalar)) } else { bytes += scalar.utf8 }
        }
    }

    private mutating func endLink() {
        guard let (start, address) = openLink.take() else { return }
        links.append(TextLink(range: start..<bytes.count, address: address))
    }
}
