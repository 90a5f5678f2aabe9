internal import Transfer

/// Makes the links in NASA's texts absolute, whatever server sends the texts.
///
/// Most texts are of NASA's old site: `lib/glossary.html#dust` is a page there, `/image-article/a/` one of the site since 2026.
struct LinkResolver {
    /// NASA's site since 2026.
    static let site: WebURL = "https://science.nasa.gov/"
    /// The directory of the pages of the old site.
    private static let oldSite: WebURL = "https://apod.nasa.gov/apod/"
    /// Resolves all links relative to the site since 2026, as in fields of an entry that have the address of an article.
    static let ofSite = Self(baseOfPaths: site, baseOfNames: site)

    /// The URL to which links that begin with a slash are relative.
    private let baseOfPaths: WebURL
    /// The URL to which other links without a host are relative.
    private let baseOfNames: WebURL
}

extension LinkResolver {
    /// Resolves the links in the HTML of an article; if it has a `<base href>`, they are relative to that.
    init(_ article: [HTMLNode]) {
        let base = article.base(relativeTo: Self.site)
        self.init(baseOfPaths: base ?? Self.site, baseOfNames: base ?? Self.oldSite)
    }

    /// Returns the absolute URL of a web page, or of a section of one; `nil` if `link` is not a web URL.
    ///
    /// White space before the section, as in `a.html #dust`, is removed, because it comes from a line that was wrapped.
    func webPage(_ link: String?) -> String? {
        guard let link else { return nil }
        let end = link.utf8.firstIndex(of: UInt8(ascii: "#")) ?? link.endIndex
        let address = TextNormalizer.withoutWhiteSpace(link[..<end])
        let base = address.hasPrefix("/") ? baseOfPaths : baseOfNames
        guard let page = WebURL(link: address, relativeTo: base) else { return nil }
        // A `WebURL` has no section, because requests have none.
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
