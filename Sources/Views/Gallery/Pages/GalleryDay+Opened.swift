internal import APOD
internal import Mirror
internal import Platform

/// The day as a person opens it on a page in ``PageFrame/folder``: a dialog with the picture, its text and its links.
extension GalleryDay {
    /// The dialog, whose links `newer` and `older` lead to the days next to it.
    ///
    /// ``PictureGrid`` puts it into an element whose id is the day, beside the card with the id `at-`DAY. The dialog is
    /// visible while that element is the target of the page's URL, and a script makes it a modal one.
    func opened(newer: NeighborLink?, older: NeighborLink?) -> HTML {
        let badge = isFavorite ? Self.favoriteBadge : nil
        // The newer day is to the left, as on the pages of months.
        return """
            <dialog class="view" aria-labelledby="of-\(day)">
            <div class="picture">\(openedPicture)</div>
            <nav class="ways" aria-label="Pictures">\(neighborLink("Newer", relation: "prev", newer))\
            \(neighborLink("Older", relation: "next", older))
            <a class="close" href="#at-\(day)" aria-label="Close">×</a></nav>
            <div class="words" tabindex="0" role="region" aria-label="Text">
            <p class="date"><time datetime="\(day)">\(day.formatted)</time>\(badge)</p>
            <h2 id="of-\(day)">\(title)</h2>
            \(credits)\(addresses)\(explanation())\(mentions)\(favoriteHelp)</div>
            </dialog>

            """
    }

    private func neighborLink(
        _ name: HTML, relation: HTML, _ link: NeighborLink?
    ) -> HTML? {
        link.map { link in
            """
            <a class="\(relation)" rel="\(relation)" href="\(link.address)" \
            aria-label="\(name): \(link.day.formatted)">\(name)</a>
            """
        }
    }

    /// The address of a file of the mirror, relative to a page in ``PageFrame/folder``.
    private static func address(of path: String) -> String { "../\(path.percentEncodedPath)" }

    /// A link to NASA's page of the day; `nil` if NASA has none.
    private func linkToNASA(_ text: HTML) -> HTML? {
        permalink.map { address in
            """
            <a href="\(address)" rel="noopener noreferrer">\(text)</a>
            """
        }
    }

    private var openedPicture: HTML {
        switch content {
        case .picture(let picture):
            return """
                <a href="\(Self.address(of: picture.path))" title="The original">\(image)</a>
                """
        case .video(let path):
            let address = Self.address(of: path)
            let poster = cover.map { path -> HTML in
                """
                 poster="\(Self.address(of: path))"
                """
            }
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
            let link = linkToNASA("See it at NASA").map { " \($0)" as HTML }
            return """
                <p class="nothing">\(reason)\(link)</p>
                """
        }
    }

    /// The rendition or the original, or the thumbnail if browsers cannot show the original.
    private var image: HTML {
        let large = rendition ?? original
        guard let path = large ?? thumbnail else { return Self.emptyTile("Open the picture") }
        // When a person zooms, a script replaces the rendition by the original.
        let zoomed = (rendition == nil ? nil : original).map { original -> HTML in
            """
             data-original="\(Self.address(of: original))"
            """
        }
        let shown: HTML = """
            <img src="\(Self.address(of: path))"\(zoomed) alt="\(alternative)"\(sizeAttributes) \
            loading="lazy" decoding="async">
            """
        guard large != nil, let sizeAttributes, let thumbnail else { return shown }
        // Until the picture is loaded, the style sheet shows the thumbnail, of the class `below`, in the same place.
        return """
            \(shown)<img class="below" src="\(Self.address(of: thumbnail))" alt=""\(sizeAttributes) loading="lazy">
            """
    }

    private static let maximumMentions = 50

    /// The list of the days whose texts link to this one, newest first; `nil` if there are none.
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

    /// The list of links to the picture itself, and to NASA's page; `nil` if there is neither.
    private var addresses: HTML? {
        let pictureItem = picture.map { picture -> HTML in
            """
            <li><a href="\(Self.address(of: picture.path))">\(isVideo ? "Still" : "Original")</a>, \
            \(picture.formatted): \(Layout.split(picture.path).name)</li>
            """
        }
        let itemOfNASA = linkToNASA("At NASA").map { "<li>\($0)</li>" as HTML }
        guard pictureItem != nil || itemOfNASA != nil else { return nil }
        return """
            <ul class="links">\(pictureItem)\(itemOfNASA)</ul>

            """
    }

    /// How to add or remove the favorite; `nil` without a picture, because a favorite is a link to a picture.
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
