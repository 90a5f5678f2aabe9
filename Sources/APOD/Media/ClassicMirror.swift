internal import Platform
package import Transfer

/// A copy of NASA's old site, with a web page such as `ap261120.html` for each day, and with pictures in `image/`.
///
/// The program asks it for pictures that NASA lost, and for days that NASA does not send.
package struct ClassicMirror: Hashable, Sendable {
    /// The URL of the directory of the web pages, with a slash at its end.
    package let directory: WebURL

    /// The mirrors that are used by default: those with `https`, without which anybody could change a download.
    package static let standard = [ClassicMirror("https://apod.com/en/")]

    package init(_ directory: WebURL) {
        let path = directory.pathWithoutFinalSlashes
        self.directory = directory.at("\(path)/")
    }

    package func webPage(of day: Day) -> WebURL {
        directory.at("\(directory.path)ap\(day.compact).html")
    }

    /// A picture on the web page of a day that may be the picture of the entry.
    package struct Offer: Hashable, Sendable {
        /// The URL on the mirror, with the size that NASA names in the entry, if it does.
        package let address: PictureAddress
        /// Whether the caller must reject a download of another size, because only the size proves that it is the picture.
        package let mustHaveAnnouncedSize: Bool
    }

    /// Returns the picture on the web page `html`; `nil` if the page is of another day, or may show another picture.
    ///
    /// One of these proves that it is the picture of the entry:
    /// - A URL of the entry ends with the same file name, or one of the `earlierURLs` of the picture, which a record has.
    /// - The entry names a width and a height, which the caller compares with the download.
    /// - The entry has no URL of a picture, and the web page has the title of the entry.
    package func offer(
        for entry: Entry, on html: [UInt8], earlierURLs: [String] = []
    ) -> Offer? {
        let text = String(decoding: html, as: UTF8.self)
        // mutation test: mirror-day (see Tests/Mutants)
        guard Day(onPage: text) == entry.day else { return nil }
        let nodes = HTMLDocument.nodes(of: text)
        let urlsOnPage = urlsOfPicture(on: nodes, at: webPage(of: entry.day))
        guard let best = urlsOnPage.first else { return nil }

        let announcedSize = entry.media.pictures.lazy.compactMap(\.announcedSize).first
        let urls = (entry.media.pictures.map(\.url) + earlierURLs).compactMap { WebURL(link: $0) }
        let names = Set(urls.map(\.fileName))
        // A page shows a small picture in a link to the large one: either may have the file name.
        let nameProvesPicture = urlsOnPage.contains { names.contains($0.fileName) }
        let titleProvesPicture = names.isEmpty && entry.hasTitle(of: nodes)
        // mutation test: mirror-picture
        guard nameProvesPicture || titleProvesPicture || announcedSize != nil else { return nil }
        return Offer(
            address: PictureAddress(best.text, announcedSize: announcedSize),
            mustHaveAnnouncedSize: !nameProvesPicture && announcedSize != nil)
    }

    /// The URLs of the first picture on a page: the large file to which it is a link, then the file that is shown.
    private func urlsOfPicture(on nodes: [HTMLNode], at page: WebURL) -> [WebURL] {
        func isPicture(_ url: WebURL) -> Bool {
            url.isPictureFile && url.origin == directory.origin
                && url.path.contains(bytes: "/image/")
        }
        let image = MediaMarkup(nodes, relativeTo: page).images.first { isPicture($0.url) }
        return [image?.linked, image?.url].compactMap(\.self).filter(isPicture)
    }
}

extension Entry {
    /// Whether a web page has the title of the entry; case and punctuation, which NASA's move of 2026 changed, may differ.
    fileprivate func hasTitle(of nodes: [HTMLNode]) -> Bool {
        func letters(_ text: String) -> [UInt8] {
            text.utf8.map(\.lowercased).filter(\.isASCIIWord)
        }
        guard title != Self.untitled, !letters(title).isEmpty, let pageTitle = nodes.pageTitle
        else { return false }
        let titleOfDay = PostTitle.withoutDate(TextNormalizer.line(pageTitle), of: day)
        return letters(title) == letters(titleOfDay)
    }
}
