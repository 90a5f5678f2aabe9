internal import Transfer

/// Makes the links of NASA's texts absolute, whatever server sends them.
///
/// Most texts are from the old site: `lib/glossary.html#dust` leads to a page there. `/image-article/a/` leads to a page of
/// the site since 2026.
struct LinkResolver {
    /// The site since 2026.
    static let site: WebURL = "https://science.nasa.gov/"
    /// The directory of the pages of the old site.
    private static let oldSite: WebURL = "https://apod.nasa.gov/apod/"
    /// Resolves the addresses in fields of an answer, which are all those of the site.
    static let ofSite = Self(root: site, pages: site)

    /// The URL to which links with a slash at their start are relative.
    private let root: WebURL
    /// The URL to which all other links are relative.
    private let pages: WebURL

    private init(root: WebURL, pages: WebURL) { (self.root, self.pages) = (root, pages) }

    /// Resolves the links of the page `article`, whose `<base href>` counts.
    init(_ article: [HTMLNode]) {
        let base = article.base(relativeTo: Self.site)
        self.init(root: base ?? Self.site, pages: base ?? Self.oldSite)
    }

    /// Returns the absolute URL of a web page, or of a section of one; `nil` if `link` is not a web URL.
    ///
    /// White space before the section is removed, because it comes from a line that was wrapped.
    func webPage(_ link: String?) -> String? {
        guard let link else { return nil }
        let end = link.utf8.firstIndex(of: UInt8(ascii: "#")) ?? link.endIndex
        let address = TextNormalizer.withoutWhiteSpace(link[..<end])
        let base = address.hasPrefix("/") ? root : pages
        guard let page = WebURL(link: address, relativeTo: base) else { return nil }
        // `WebURL` drops the section, which no request has.
        let section = TextNormalizer.trimmed(link[end...])
            .filter { !$0.isNewline && $0 != "\t" }
        return page.text + section.urlEncoded
    }
}

extension [HTMLNode] {
    /// The URL to which links are relative, from the first `<base href>` of the page at `page`; `nil` if it has none.
    func base(relativeTo page: WebURL) -> WebURL? {
        lazy.compactMap { node in
            guard case .opening("base", let attributes) = node else { return nil }
            return attributes["href"].flatMap { WebURL(link: $0, relativeTo: page) }
        }.first
    }
}
