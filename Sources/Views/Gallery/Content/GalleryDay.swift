internal import APOD
internal import Mirror
internal import Platform

/// One day as the gallery and the feed show it.
///
/// A picture has up to three files: the original, a thumbnail, and a ``Rendition`` if the original is large and recent. The
/// properties of these names are paths relative to the root of the mirror; `nil` if the file is not there.
struct GalleryDay {
    enum Content {
        case picture(PictureRecord)
        /// The path of a video in the mirror.
        case video(String)
        /// The URL of a video on another site.
        case externalVideo(String)
        /// Nothing, with a sentence that says why.
        case nothing(String)
    }

    let day: Day
    /// `nil` if there is no record, or if it cannot be read.
    let record: DayRecord?
    let isFavorite: Bool
    /// The links between days; `nil` if all links of the text are to lead to the web.
    let links: DayLinks?
    let content: Content
    /// The picture, or the poster of a video; `nil` if there is none or it was removed.
    let picture: PictureRecord?
    let rendition: String?
    let thumbnail: String?

    init(_ day: Day, _ record: DayRecord?, in input: ViewInput, links: DayLinks? = nil) {
        self.day = day
        self.record = record
        self.links = links
        isFavorite = input.favorites.contains(day)
        picture = record?.picture.flatMap { $0.removed == nil ? $0 : nil }
        content = Self.content(of: record, picture)
        let hasRendition = picture != nil && input.renditions.contains(day)
        rendition = hasRendition ? Rendition.path(of: day) : nil
        let hasThumbnail = record?.removed == nil && input.snapshot[day]?.thumbnail != nil
        thumbnail = hasThumbnail ? Layout.thumbnail(of: day) : nil
    }

    /// The picture itself; `nil` if browsers cannot show it.
    var original: String? { picture.flatMap { $0.isShownByBrowsers ? $0.path : nil } }

    /// The thumbnail, else the original; `nil` if the day has no picture that browsers can show.
    var cover: String? { thumbnail ?? original }

    /// The text on a card without a ``cover``; the card of a video has a sign instead.
    var emptyTileLabel: String {
        if isVideo { return "" }
        // There is none, or it cannot be read.
        guard let record else { return "Not available" }
        if record.removed != nil { return "Removed" }
        return picture == nil ? "No picture" : "Open the picture"
    }

    var title: String {
        guard let record else { return day.formatted }
        return record.entry.title.isEmpty ? "Untitled" : record.entry.title
    }

    var isVideo: Bool {
        switch content {
        case .video, .externalVideo: true
        case .picture, .nothing: false
        }
    }

    /// The objects that the title, the text and the credit name by catalogue.
    var objects: Set<CatalogueObject> {
        guard let entry = record?.entry else { return [] }
        let texts = [entry.title, entry.explanation, entry.credit, entry.copyright]
        // No object is read across the end of a text.
        return SearchText(texts.compactMap(\.self).joined(separator: ". ")).objects
    }

    /// The URL of NASA's page of the day.
    var permalink: String? { record?.entry.permalink?.webAddress }

    /// The alternative text: NASA's, else the title.
    var alternative: String {
        let words = record?.entry.alt ?? ""
        let isPresent = words.contains { !$0.isWhitespace }
        // Many of NASA's alternative texts only refer to the explanation.
        let refersToText = words.lowercased().hasPrefix("see explanation")
        return isPresent && !refersToText ? words : title
    }

    private static func content(of record: DayRecord?, _ picture: PictureRecord?) -> Content {
        guard let record else {
            return .nothing(
                "The mirror does not have this day, or cannot read its record in metadata/.")
        }
        if let video = record.video {
            if let file = video.file, file.removed == nil { return .video(file.path) }
            if let address = video.url.encodedWebLink {
                return .externalVideo(VideoPageURL(of: address)?.url ?? address)
            }
        }
        if let picture { return .picture(picture) }
        return .nothing(reasonForNoPicture(in: record))
    }

    private static func reasonForNoPicture(in record: DayRecord) -> String {
        guard record.removed == nil else {
            return "The mirror removed the picture of this day, because it keeps the newest only."
        }
        switch record.entry.mediaType {
        case "image", "": break
        case "video": return "NASA published a video on this day, without a still image."
        default: return "NASA published a web page on this day, and no picture."
        }
        guard let reason = record.noPicture?.reason, !reason.isEmpty else {
            return "The mirror has no picture of this day yet."
        }
        return "The mirror has no picture of this day yet: \(reason)."
    }
}

// MARK: - The opened day

extension GalleryDay {
    /// The day as a person opens it on a page in ``PageFrame/folder``: a dialog with the picture, its text and its links.
    ///
    /// ``PictureGrid`` puts it into an element whose id is the day, beside the card with the id `at-`DAY. The dialog is
    /// visible while that element is the target of the page's URL, and a script makes it a modal one. `newer` and `older` lead
    /// to the days next to it.
    func opened(newer: NeighborLink?, older: NeighborLink?) -> HTML {
        let badge = isFavorite ? Self.favoriteBadge : nil
        // The newer day is to the left, as on the pages of months.
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
    /// When a person zooms, a script replaces the rendition by the original. Until the picture is loaded, the style sheet shows
    /// the thumbnail, of the class `below`, in the same place.
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
