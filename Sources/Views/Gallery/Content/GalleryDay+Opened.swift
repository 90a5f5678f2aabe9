internal import APOD
internal import Mirror

/// A day that a person has opened on a page of the gallery: the picture beside its text and its links.
extension GalleryDay {
    /// The opened day as a dialog, on a page in ``PageFrame/folder``; `newer` and `older` lead to the days next to it.
    ///
    /// ``PictureGrid`` puts it into an element whose id is the day, beside the card with the id `at-`DAY. The dialog is
    /// visible while that element is the target of the page's URL; a script makes it a modal one. ``HTML`` escapes what is
    /// interpolated, and leaves out `nil`.
    func opened(newer: NeighborLink?, older: NeighborLink?) -> HTML {
        let badge = isFavorite ? Self.favoriteBadge : nil
        // The newer day is to the left, as on the pages of months, whose newest day comes first.
        return """
            <dialog class="view" aria-labelledby="of-\(day)">
            <div class="picture">\(openedPicture)</div>
            <nav class="ways" aria-label="Pictures">\(neighborLink("prev", "Newer", newer))\
            \(neighborLink("next", "Older", older))
            <a class="close" href="#at-\(day)" aria-label="Close">×</a></nav>
            <div class="words" tabindex="0" role="region" aria-label="Text">
            <p class="date"><time datetime="\(day)">\(day.formatted)</time>\(badge)</p>
            <h2 id="of-\(day)">\(title)</h2>
            \(credits)\(addresses)\(explanation())\(mentions)\(favoriteHelp)</div>
            </dialog>

            """
    }

    private func neighborLink(_ relation: HTML, _ name: HTML, _ link: NeighborLink?) -> HTML? {
        link.map { link in
            """
            <a class="\(relation)" rel="\(relation)" href="\(link.address)" \
            aria-label="\(name): \(link.day.formatted)">\(name)</a>
            """
        }
    }

    // MARK: The picture

    private var openedPicture: HTML {
        switch content {
        case .picture(let picture):
            return """
                <a href="../\(picture.path.percentEncodedPath)" title="The original">\(image)</a>
                """
        case .video(let path):
            let address = "../\(path.percentEncodedPath)"
            let poster = cover.map { " poster=\"../\($0.percentEncodedPath)\"" as HTML }
            return """
                <video src="\(address)" controls preload="none"\(poster)>\
                <a href="\(address)">The video</a></video>
                """
        case .externalVideo(let address):
            return """
                <a class="play" href="\(address)" target="_blank" rel="noopener noreferrer">\
                \(cover == nil ? nil : image)\(Self.watchLabel)</a>
                """
        case .nothing(let reason):
            let link = permalink.map { page -> HTML in
                " <a href=\"\(page)\" rel=\"noopener noreferrer\">See it at NASA</a>"
            }
            return "<p class=\"nothing\">\(reason)\(link)</p>"
        }
    }

    /// The rendition or the original, or the thumbnail if browsers cannot show the original.
    ///
    /// Zooming loads the original in place of the rendition. The style sheet shows the thumbnail of the class `below` in the
    /// same place and size until the picture above is loaded.
    private var image: HTML {
        let full = rendition ?? original
        guard let path = full ?? thumbnail else { return Self.emptyTile("Open the picture") }
        var zoomed: HTML?
        if rendition != nil, let original {
            zoomed = " data-original=\"../\(original.percentEncodedPath)\""
        }
        let image: HTML = """
            <img src="../\(path.percentEncodedPath)"\(zoomed) alt="\(alternative)"\(sizeAttributes) \
            loading="lazy" decoding="async">
            """
        guard full != nil, let sizeAttributes, let thumbnail else { return image }
        return """
            \(image)<img class="below" src="../\(thumbnail.percentEncodedPath)" alt=""\(sizeAttributes) loading="lazy">
            """
    }

    // MARK: The text

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

    /// The text, whose links lead to days of the mirror or else to the web; `base` is the path from the page to `gallery/`.
    func explanation(base: String = "") -> HTML {
        guard let entry = record?.entry else { return "" }
        let textLinks = entry.explanationHTML.map { TextLink.all(in: entry.explanation, from: $0) }
        return HTML(paragraphs: entry.explanation, links: textLinks ?? []) { link in
            guard let archiveLink = ArchiveLink(link) else { return link.encodedWebLink }
            return links?.page(of: archiveLink).map { base + $0 } ?? archiveLink.webAddress
        }
    }

    /// The maximum number of days that are listed as mentioning this one.
    private static let maximumMentions = 50

    private var mentions: HTML? {
        let sources = links?.mentions(of: day) ?? []
        guard !sources.isEmpty else { return nil }
        let items = sources.prefix(Self.maximumMentions).map { source -> HTML in
            let title = String(decoding: source.title, as: UTF8.self)
            return """
                <li><a href="\(source.day.galleryLink)">\(title)</a>, \(source.day.formatted)</li>

                """
        }
        let rest = sources.count - items.count
        return """
            <h3>Days that mention this one</h3>
            <ul class="links">
            \(items)\(rest > 0 ? "<li>and \(rest) more</li>\n" : nil)</ul>

            """
    }

    private var addresses: HTML? {
        var items: [HTML] = []
        if let picture {
            let name: HTML = isVideo ? "Still" : "Original"
            let address = "../\(picture.path.percentEncodedPath)"
            items.append(
                """
                <li><a href="\(address)">\(name)</a>, \(picture.formatted): \
                \(Layout.split(picture.path).name)</li>
                """)
        }
        if let permalink {
            items.append(
                "<li><a href=\"\(permalink)\" rel=\"noopener noreferrer\">At NASA</a></li>")
        }
        return items.isEmpty ? nil : "<ul class=\"links\">\(items)</ul>\n"
    }

    /// How to add or remove the favorite; `nil` without a picture, as a favorite is a link to one.
    private var favoriteHelp: HTML? {
        guard picture != nil else { return nil }
        let (words, action): (HTML, String) =
            isFavorite
            ? ("This day is a favorite. To remove it, delete its link", "remove")
            : ("To make this day a favorite, drop a link to the picture into favorites/", "add")
        return """
            <p class="command">\(words), or run <code>apod-mirror favorites \(action) \(day)</code></p>

            """
    }
}
