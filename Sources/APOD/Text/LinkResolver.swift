internal import Transfer

/// Makes the links in NASA's texts absolute, whatever server sends the texts.
///
/// NASA has written most texts for its old site, and some for its site since 2026. So `lib/glossary.html#dust` is a page of the
/// old site, and `/image-article/a/`, which begins with a slash, one of the new site. An article whose HTML has a `<base href>`
/// says itself to what its links are relative.
struct LinkResolver {
    /// NASA's site since 2026.
    static let newSite: WebURL = "https://science.nasa.gov/"
    /// The directory of the pages of the old site.
    private static let oldSite: WebURL = "https://apod.nasa.gov/apod/"
    /// Resolves all links relative to the new site, as in fields of an entry that have the address of an article.
    static let ofNewSite = Self(base: newSite)

    /// The URL to which all links without a host are relative; `nil` if it depends on the link: see ``base(of:)``.
    private let base: WebURL?

    private init(base: WebURL) { self.base = base }

    /// Makes a resolver for the texts of the day that has this `article`, which may be empty.
    init(_ article: [HTMLNode]) { base = article.base(relativeTo: Self.newSite) }

    /// Returns the absolute URL of a web page, or of a section of one; `nil` if `link` is not a web URL.
    func webPage(_ link: String) -> String? {
        let end = link.utf8.firstIndex(of: UInt8(ascii: "#")) ?? link.endIndex
        // White space comes from a line that was wrapped, as in `a.html #dust`.
        let address = TextNormalizer.withoutWhiteSpace(link[..<end])
        guard let page = WebURL(link: address, relativeTo: base(of: address)) else { return nil }
        // Browsers drop the same characters. The section is added here, because a `WebURL` has none.
        let section = TextNormalizer.trimmed(link[end...])
            .filter { !$0.isNewline && $0 != "\t" }
        return page.text + section.urlEncoded
    }

    private func base(of link: String) -> WebURL {
        if let base { return base }
        return link.hasPrefix("/") ? Self.newSite : Self.oldSite
    }
}

extension [HTMLNode] {
    /// The URL in the first `<base href>` of the page at `page`, to which its links are relative; `nil` if it has none.
    func base(relativeTo page: WebURL) -> WebURL? {
        lazy.compactMap { node in
            guard case .opening("base", let attributes) = node else { return nil }
            return attributes["href"].flatMap { WebURL(link: $0, relativeTo: page) }
        }.first
    }
}
