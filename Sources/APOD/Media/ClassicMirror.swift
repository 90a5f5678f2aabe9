internal import Platform
package import Transfer

/// A mirror of the old site of APOD: a page `apYYMMDD.html` for each day, and its pictures in `image/`.
package struct ClassicMirror: Hashable, Sendable {
    /// The URL of the directory of the pages, with a slash at its end.
    package let directory: WebURL

    /// The mirrors that speak TLS.
    package static let standard = [ClassicMirror("https://apod.com/en/")]

    package init(_ directory: WebURL) {
        let path = directory.pathWithoutFinalSlashes
        self.directory = directory.at("\(path)/")
    }

    package func webPage(of day: Day) -> WebURL {
        directory.at("\(directory.path)ap\(day.compact).html")
    }

    /// The picture on the page of a day, which may be that of an entry.
    package struct Offer: Hashable, Sendable {
        /// The URL of the picture, with the size that NASA announces, if it does.
        package let address: PictureAddress
        /// Whether a picture of any other size than the announced one is another picture.
        package let mustHaveSize: Bool
    }

    /// Returns the picture on `html`; `nil` if that is not the page of the day of `entry`, or shows another picture.
    ///
    /// The name of the picture, or its size, must be that which NASA announces, or announced in `earlier` URLs. Where
    /// NASA announces neither, the page must have the title of the entry.
    package func offer(
        for entry: Entry, on html: [UInt8], earlier: [String] = []
    ) -> Offer? {
        let text = String(decoding: html, as: UTF8.self)
        // mutation test: mirror-day
        guard RawEntry.day(onPage: text) == entry.day else { return nil }
        let nodes = HTMLDocument.nodes(of: text)
        let pictures = pictures(on: nodes, at: webPage(of: entry.day))
        guard let best = pictures.first else { return nil }

        let announced = entry.media.pictures.first { $0.width != nil }
        let urls = (entry.media.pictures.map(\.url) + earlier).compactMap { WebURL(link: $0) }
        let names = Set(urls.map(\.fileName))
        let isNamed = pictures.contains { names.contains($0.fileName) }
        // mutation test: mirror-picture
        guard isNamed || announced != nil || names.isEmpty && entry.isNamed(on: nodes) else {
            return nil
        }
        return Offer(
            address: PictureAddress(
                best.text, width: announced?.width, height: announced?.height),
            mustHaveSize: !isNamed && announced != nil)
    }

    /// The URLs of the picture, the larger one first.
    private func pictures(on nodes: [HTMLNode], at page: WebURL) -> [WebURL] {
        func picture(_ text: String?) -> WebURL? {
            guard let url = MediaMarkup.url(text, relativeTo: page), url.isPictureFile,
                url.origin == directory.origin, url.path.contains(bytes: "/image/")
            else { return nil }
            return url
        }
        var link: WebURL?
        for node in nodes {
            switch node {
            case .opening("a", let attributes): link = picture(attributes["href"])
            case .closing("a"): link = nil
            case .opening("img", let attributes):
                guard let shown = picture(attributes["src"]) else { continue }
                return [link, shown].compactMap(\.self)
            default: break
            }
        }
        return []
    }
}

extension Entry {
    /// Whether a page has the title of the entry, whose punctuation and case NASA's migration of 2026 changed.
    fileprivate func isNamed(on nodes: [HTMLNode]) -> Bool {
        let letters = title.asciiLetters
        return !letters.isEmpty && title != Self.untitled
            && nodes.archiveTitle?.asciiLetters == letters
    }
}
