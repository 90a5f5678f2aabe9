internal import APOD
internal import Mirror
internal import Platform

/// The texts of a day as HTML, for pages of the gallery and for feeds.
extension GalleryDay {
    /// The authors, the copyright holder and the license.
    var credits: HTML {
        let (credit, copyright) = (record?.entry.credit, record?.entry.copyright)
        if let credit, credit == copyright {
            return "<p class=\"credit\">Credit and copyright: \(credit)</p>\n\(license)"
        }
        let authors = credit.map { "<p class=\"credit\">Credit: \($0)</p>\n" as HTML }
        let holder = copyright.map { "<p class=\"credit\">© \($0)</p>\n" as HTML }
        return "\(authors)\(holder)\(license)"
    }

    private var license: HTML? {
        guard let license = record?.entry.license else { return nil }
        guard let address = license.url.encodedWebLink else {
            return "<p class=\"credit\">License: \(license.name)</p>\n"
        }
        return """
            <p class="credit">License: \
            <a href="\(address)" rel="license noopener noreferrer">\(license.name)</a></p>

            """
    }

    /// The explanation, whose links lead to days of the mirror, or else to the web.
    ///
    /// `base` is the relative path from the page to `gallery/`.
    func explanation(base: String = "") -> HTML {
        guard let entry = record?.entry else { return "" }
        let textLinks = entry.explanationHTML.map { TextLink.all(in: entry.explanation, from: $0) }
        return HTML(paragraphs: entry.explanation, links: textLinks ?? []) { link in
            guard let archiveLink = ArchiveLink(link) else { return link.encodedWebLink }
            guard let page = links?.page(of: archiveLink) else { return archiveLink.webAddress }
            return base + page
        }
    }
}
