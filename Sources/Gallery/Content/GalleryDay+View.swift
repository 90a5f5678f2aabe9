internal import APOD
internal import Mirror

/// Where one goes from a day that is open.
struct Navigation {
    /// What comes after it on the page.
    var next: PageLink?
    /// What comes before it.
    var previous: PageLink?
    /// The card of the day.
    var close: HTML

    struct PageLink {
        let link: HTML
        let day: Day
    }
}

extension GalleryDay {
    /// The day itself: all that there is to look at and to read.
    ///
    /// It is shown while it is the target of the page's address; a script makes it a modal dialog.
    ///
    /// - Parameters:
    ///   - ways: Where one goes from there.
    ///   - base: The way from the page to the root of the mirror, empty or `../`.
    /// - Returns: The parts of an article.
    func view(_ ways: Navigation, base: HTML) -> HTML {
        """
        <dialog class="view" aria-labelledby="of-\(day)">
        <div class="picture">\(large(base))</div>
        <nav class="ways" aria-label="Pictures">\(way("prev", "Newer", ways.previous))\
        \(way("next", "Older", ways.next))\
        <a class="close" href="\(ways.close)" aria-label="Close">×</a></nav>
        <div class="words" tabindex="0">
        <p class="date"><time datetime="\(day)">\(day.inWords)</time>\(isFavorite ? Self.star : nil)</p>
        <h3 id="of-\(day)">\(title)</h3>
        \(credits)\(explanation)\(links(base))</div>
        </dialog>

        """
    }

    private func way(_ relation: HTML, _ name: HTML, _ way: Navigation.PageLink?) -> HTML? {
        way.map { way in
            """
            <a class="\(relation)" rel="\(relation)" href="\(way.link)" \
            aria-label="\(name): \(way.day.inWords)">\(name)</a>
            """
        }
    }

    // MARK: The picture

    private func large(_ base: HTML) -> HTML {
        switch work {
        case .picture(let picture):
            "<a href=\"\(base)\(picture.path.asLink)\" title=\"The original\">\(image(base))</a>"
        case .film(let path):
            """
            <video src="\(base)\(path.asLink)" controls preload="none"\(poster(base))>\
            <a href="\(base)\(path.asLink)">The video</a></video>
            """
        case .filmElsewhere(let address):
            """
            <a class="play" href="\(address)" target="_blank" rel="noopener noreferrer">\
            \(cover == nil ? nil : image(base))\(Self.watch)</a>
            """
        case .nothing(let reason):
            "<p class=\"nothing\">\(reason)\(permalink.map(Self.link(toNASA:)))</p>"
        }
    }

    private static func link(toNASA page: String) -> HTML {
        " <a href=\"\(page)\" rel=\"noopener noreferrer\">See it at NASA</a>"
    }

    /// The original, or the thumbnail where browsers cannot show that.
    ///
    /// While the original loads, the thumbnail lies below it, where it will be and as large.
    private func image(_ base: HTML) -> HTML {
        let original = picture.flatMap { $0.isShownByBrowsers ? $0.path : nil }
        guard let path = original ?? cover else { return Self.blank("Open the picture") }
        let image: HTML = """
            <img src="\(base)\(path.asLink)" alt="\(alternative)"\(sizes) loading="lazy" decoding="async">
            """
        guard original != nil, let sizes, let thumbnail else { return image }
        return """
            \(image)<img class="below" src="\(base)\(thumbnail.asLink)" alt=""\(sizes) loading="lazy">
            """
    }

    private func poster(_ base: HTML) -> HTML? {
        cover.map { " poster=\"\(base)\($0.asLink)\"" }
    }

    // MARK: The words

    /// Who made it, who holds the rights, and the licence.
    var credits: HTML {
        let (credit, copyright) = (record?.entry.credit, record?.entry.copyright)
        let names: HTML =
            switch (credit, copyright) {
            case (nil, nil): ""
            case (let credit?, let copyright) where credit == copyright:
                "<p class=\"credit\">Credit and copyright: \(credit)</p>\n"
            case (let credit, let copyright):
                "\(credit.map { "<p class=\"credit\">Credit: \($0)</p>\n" })\(copyright.map { "<p class=\"credit\">© \($0)</p>\n" })"
            }
        return "\(names)\(license)"
    }

    private var license: HTML? {
        guard let license = record?.entry.license else { return nil }
        guard let address = license.url.asWebAddress else {
            return "<p class=\"credit\">Licence: \(license.name)</p>\n"
        }
        return """
            <p class="credit">Licence: \
            <a href="\(address)" rel="license noopener noreferrer">\(license.name)</a></p>

            """
    }

    var explanation: HTML {
        guard let entry = record?.entry else { return "" }
        let links = entry.explanationHTML.map { TextLink.all(in: entry.explanation, from: $0) }
        return HTML(paragraphs: entry.explanation, links: links ?? [])
    }

    private func links(_ base: HTML) -> HTML? {
        var links: [HTML] = []
        if let picture = picture {
            let name: HTML = isFilm ? "Still" : "Original"
            links.append(
                "<li><a href=\"\(base)\(picture.path.asLink)\">\(name)</a>, \(picture.inWords)</li>"
            )
        }
        if let permalink {
            links.append(
                "<li><a href=\"\(permalink)\" rel=\"noopener noreferrer\">At NASA</a></li>")
        }
        return links.isEmpty ? nil : "<ul class=\"links\">\(links)</ul>\n"
    }
}
