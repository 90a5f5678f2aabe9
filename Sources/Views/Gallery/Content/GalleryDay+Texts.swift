internal import APOD
internal import Mirror
internal import Platform

/// The texts of a day as HTML, for pages of the gallery and for feeds.
extension GalleryDay {
    /// The authors, the copyright holder and the license.
    var credits: HTML {
        let (credit, copyright) = (record?.entry.credit, record?.entry.copyright)
        if let credit, credit == copyright {
            let line = Self.creditLine("Credit and copyright: \(credit)")
            return "\(line)\(license)"
        }
        let authors = credit.map { Self.creditLine("Credit: \($0)") }
        let holder = copyright.map { Self.creditLine("© \($0)") }
        return "\(authors)\(holder)\(license)"
    }

    private var license: HTML? {
        guard let license = record?.entry.license else { return nil }
        guard let address = license.url.encodedWebLink else {
            return Self.creditLine("License: \(license.name)")
        }
        return Self.creditLine(
            """
            License: <a href="\(address)" rel="license noopener noreferrer">\(license.name)</a>
            """)
    }

    private static func creditLine(_ text: HTML) -> HTML {
        """
        <p class="credit">\(text)</p>

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
            return links?.page(of: archiveLink).map { base + $0 } ?? archiveLink.webAddress
        }
    }
}
