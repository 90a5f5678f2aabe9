internal import Transfer

/// Makes the links of NASA's texts absolute, whatever server sends them.
///
/// A link such as `lib/glossary.html#dust` is one of a page of the old site, where most texts are from; one such as
/// `/image-article/a/` is one of the site.
struct LinkResolver {
    /// The site since 2026.
    static let site: WebURL = "https://science.nasa.gov/"
    /// The directory of the pages of the old site.
    private static let oldSite: WebURL = "https://apod.nasa.gov/apod/"
    /// Resolves the addresses in the fields of an answer.
    static let ofSite = Self(root: site, pages: site)

    /// The URL to which links with a slash at their start are relative.
    private let root: WebURL
    /// The URL to which all other links are relative.
    private let pages: WebURL

    private init(root: WebURL, pages: WebURL) { (self.root, self.pages) = (root, pages) }

    /// - Parameter article: The page of the day, whose `<base href>` counts.
    init(_ article: [HTMLNode]) {
        let base = article.base(relativeTo: Self.site)
        self.init(root: base ?? Self.site, pages: base ?? Self.oldSite)
    }

    /// Returns the absolute URL of a web page, or of a section of one; `nil` if `link` is not a web URL.
    ///
    /// White space before the section is no part of an address: it is from a line that was wrapped.
    func webPage(_ link: String?) -> String? {
        guard let link else { return nil }
        let end = link.utf8.firstIndex(of: UInt8(ascii: "#")) ?? link.endIndex
        let address = TextNormalizer.withoutWhiteSpace(link[..<end])
        let base = address.hasPrefix("/") ? root : pages
        guard let page = WebURL(link: address, relativeTo: base) else { return nil }
        // The section, which is the fragment, is no part of a URL of a request. In it, line breaks do not count.
        let section = TextNormalizer.trimmed(link[end...])
            .filter { !$0.isNewline && $0 != "\t" }
        return page.text + section.urlEncoded
    }
}

extension [HTMLNode] {
    /// The URL of the first `<base href>` of the page at `page`, to which its links are relative; `nil` if it has none.
    func base(relativeTo page: WebURL) -> WebURL? {
        lazy.compactMap { node in
            guard case .opening("base", let attributes) = node else { return nil }
            return attributes["href"].flatMap { WebURL(link: $0, relativeTo: page) }
        }.first
    }
}
