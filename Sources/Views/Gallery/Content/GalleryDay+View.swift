internal import APOD
internal import Mirror

/// A link to another day.
struct PageLink {
    let link: HTML
    let day: Day
}

extension GalleryDay {
    /// The opened day: a dialog with picture, text and links, on a page in ``PageFrame/folder``.
    ///
    /// It is visible while it is the target of the page's URL; a script makes it a modal dialog.
    func view(next: PageLink?, previous: PageLink?) -> HTML {
        """
        <dialog class="view" aria-labelledby="of-\(day)">
        <div class="picture">\(large)</div>
        <nav class="ways" aria-label="Pictures">\(pageLink("prev", "Newer", previous))\
        \(pageLink("next", "Older", next))\
        <a class="close" href="#at-\(day)" aria-label="Close">×</a></nav>
        <div class="words" tabindex="0" role="region" aria-label="Text">
        <p class="date"><time datetime="\(day)">\(day.formatted)</time>\(isFavorite ? Self.favoriteBadge : nil)</p>
        <h3 id="of-\(day)">\(title)</h3>
        \(credits)\(explanation())\(mentions)\(addresses)</div>
        </dialog>

        """
    }

    private func pageLink(_ relation: HTML, _ name: HTML, _ link: PageLink?) -> HTML? {
        link.map { link in
            """
            <a class="\(relation)" rel="\(relation)" href="\(link.link)" \
            aria-label="\(name): \(link.day.formatted)">\(name)</a>
            """
        }
    }

    // MARK: The picture

    private var large: HTML {
        switch content {
        case .picture(let picture):
            "<a href=\"../\(picture.path.percentEncodedPath)\" title=\"The original\">\(image)</a>"
        case .video(let path):
            """
            <video src="../\(path.percentEncodedPath)" controls preload="none"\(poster)>\
            <a href="../\(path.percentEncodedPath)">The video</a></video>
            """
        case .externalVideo(let address):
            """
            <a class="play" href="\(address)" target="_blank" rel="noopener noreferrer">\
            \(cover == nil ? nil : image)\(Self.watchLabel)</a>
            """
        case .nothing(let reason):
            "<p class=\"nothing\">\(reason)\(permalink.map(Self.link(toNASA:)))</p>"
        }
    }

    private static func link(toNASA page: String) -> HTML {
        " <a href=\"\(page)\" rel=\"noopener noreferrer\">See it at NASA</a>"
    }

    /// Returns the rendition or the original, or the thumbnail if browsers cannot show the original.
    ///
    /// Zooming loads the original in place of the rendition. While either is loaded, the thumbnail is
    /// visible in its place and size.
    private var image: HTML {
        guard let path = rendition ?? original ?? cover else {
            return Self.emptyTile("Open the picture")
        }
        let larger: HTML? = original.flatMap { original in
            rendition == nil ? nil : " data-original=\"../\(original.percentEncodedPath)\""
        }
        let image: HTML = """
            <img src="../\(path.percentEncodedPath)"\(larger) alt="\(alternative)"\(sizes) loading="lazy" decoding="async">
            """
        guard rendition ?? original != nil, let sizes, let thumbnail else { return image }
        return """
            \(image)<img class="below" src="../\(thumbnail.percentEncodedPath)" alt=""\(sizes) loading="lazy">
            """
    }

    private var poster: HTML? {
        cover.map { " poster=\"../\($0.percentEncodedPath)\"" }
    }

    // MARK: The text

    /// The authors, the copyright holder and the license.
    var credits: HTML {
        let (credit, copyright) = (record?.entry.credit, record?.entry.copyright)
        let names: HTML =
            if let credit, credit == copyright {
                "<p class=\"credit\">Credit and copyright: \(credit)</p>\n"
            } else {
                "\(credit.map { "<p class=\"credit\">Credit: \($0)</p>\n" })\(copyright.map { "<p class=\"credit\">© \($0)</p>\n" })"
            }
        return "\(names)\(license)"
    }

    private var license: HTML? {
        guard let license = record?.entry.license else { return nil }
        guard let address = license.url.webURL else {
            return "<p class=\"credit\">License: \(license.name)</p>\n"
        }
        return """
            <p class="credit">License: \
            <a href="\(address)" rel="license noopener noreferrer">\(license.name)</a></p>

            """
    }

    /// The text, whose links lead to mirrored days where `folder` is the path to ``PageFrame/folder``, else to the web.
    func explanation(_ folder: String = "") -> HTML {
        guard let record else { return "" }
        let entry = record.entry
        let links = entry.explanationHTML.map { TextLink.all(in: entry.explanation, from: $0) }
        return HTML(paragraphs: entry.explanation, links: links ?? []) { link in
            let page = ArchiveLink(link).flatMap { self.links?.page(of: $0) }
            return page.map { folder + $0 } ?? record.webAddress(of: link)
        }
    }

    /// The maximum number of days that are listed as mentioning this one.
    private static let maximumMentions = 50

    private var mentions: HTML? {
        let sources = links?.mentions(of: day) ?? []
        guard !sources.isEmpty else { return nil }
        let items = sources.prefix(Self.maximumMentions).map { source -> HTML in
            "<li><a href=\"\(source.day.link)\">\(source.title)</a>, \(source.day.formatted)</li>\n"
        }
        let rest = sources.count - items.count
        return """
            <h4>Days that mention this one</h4>
            <ul class="links">
            \(items)\(rest > 0 ? "<li>and \(rest) more</li>\n" : nil)</ul>

            """
    }

    private var addresses: HTML? {
        var links: [HTML] = []
        if let picture = picture {
            let name: HTML = isVideo ? "Still" : "Original"
            links.append(
                "<li><a href=\"../\(picture.path.percentEncodedPath)\">\(name)</a>, \(picture.formatted)</li>"
            )
        }
        if let permalink {
            links.append(
                "<li><a href=\"\(permalink)\" rel=\"noopener noreferrer\">At NASA</a></li>")
        }
        let list: HTML? = links.isEmpty ? nil : "<ul class=\"links\">\(links)</ul>\n"
        guard picture != nil else { return list }
        let (words, action): (HTML, String) =
            isFavorite
            ? ("This day is a favorite. To remove it, delete its link", "remove")
            : ("To make this day a favorite, drop a link to the picture into favorites/", "add")
        return """
            \(list)<p class="command">\(words), or run <code>apod-mirror favorites \(action) \(day)</code></p>

            """
    }
}
