/// Reads simple markup that ``ExplanationMarkup`` wrote, without libxml2, which would slow down the gallery.
extension VisibleText {
    /// The tags that change neither the text nor its links, as they are between `<` and `>`.
    private static let plainTags =
        ["b", "strong", "i", "em", "u", "s", "tt", "code", "small"].flatMap { [$0, "/\($0)"] }
        + ["br"]

    /// The references, without `&`, that ``ExplanationMarkup`` writes.
    private static let references: [(name: String, character: String)] = [
        ("amp;", "&"), ("lt;", "<"), ("gt;", ">"), ("quot;", "\""),
    ]

    /// Fails for markup that needs libxml2: other tags, tags in links, superscripts and subscripts, addresses with `<`, with a
    /// reference such as `&amp;` or outside of ASCII, and characters of Windows-1252.
    init?(ofOwnMarkup html: String) {
        guard let nodes = Self.nodes(ofOwnMarkup: html) else { return nil }
        self.init(nodes)
    }

    private static func nodes(ofOwnMarkup html: String) -> [HTMLNode]? {
        // Each part but the first begins with a tag, without its `<`.
        let parts = html.utf8.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false)
        guard let start = parts.first.flatMap(plainText) else { return nil }
        var nodes = [HTMLNode.text(start)]
        var isInLink = false
        for part in parts.dropFirst() {
            guard let end = part.firstIndex(of: UInt8(ascii: ">")),
                let text = plainText(of: part[part.index(after: end)...])
            else { return nil }
            let tag = String(Substring(part[..<end]))
            if tag == "/a", isInLink {
                nodes.append(.closing("a"))
                isInLink = false
            } else if !isInLink, let address = address(inTag: tag) {
                nodes.append(.opening("a", attributes: ["href": address]))
                isInLink = true
            } else if isInLink || !plainTags.contains(tag) {
                return nil
            }
            nodes.append(.text(text))
        }
        return isInLink ? nil : nodes
    }

    /// The text of `html`, which has no tags; `nil` if it has other references, or characters of Windows-1252.
    private static func plainText(of html: Substring.UTF8View) -> String? {
        let parts = html.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        var text = String(Substring(parts[0]))
        for part in parts.dropFirst() {
            let reference = references.first { part.starts(with: $0.name.utf8) }
            guard let reference else { return nil }
            text += reference.character
            text += String(Substring(part.dropFirst(reference.name.utf8.count)))
        }
        return text == text.withWindowsCharacters ? text : nil
    }

    /// The address in a tag such as `a href="https://a.gov"`; `nil` for other tags and for other addresses.
    private static func address(inTag tag: String) -> String? {
        guard tag.hasPrefix("a href=\""), tag.hasSuffix("\"") else { return nil }
        let address = tag.dropFirst("a href=\"".count).dropLast()
        let isPlain = address.utf8.allSatisfy { 0x20..<0x7F ~= $0 && !"\"&".utf8.contains($0) }
        return isPlain && !address.isEmpty ? String(address) : nil
    }
}
