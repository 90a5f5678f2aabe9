internal import APOD

/// The pages of the favorites or of one collection, newest first.
struct FavoritesPages {
    /// The maximum number of days on a page, each of which can be opened there: about 400 kB.
    private static let length = 90

    /// `nil` means all favorites.
    let collection: FavoriteCollection?
    /// Newest first.
    let days: [Day]
    /// The collections that the first page links to.
    let collections: [FavoriteCollection]

    var count: Int { max(1, (days.count + Self.length - 1) / Self.length) }

    /// The name of the page at `index`.
    func name(_ index: Int) -> String {
        let stem = collection?.stem ?? "favorites"
        return index == 0 ? "\(stem).html" : "\(stem)-\(index + 1).html"
    }

    /// The days that the page at `index` depends on.
    func shownDays(on index: Int) -> [Day] {
        days(on: index)
            + (index == 0
                ? collections.flatMap { $0.days.prefix(FavoriteCollection.coverCandidates) } : [])
    }

    /// The days before and after the page at `index`, to which it links.
    func neighbours(of index: Int) -> [Day] {
        let range = range(of: index)
        return [range.lowerBound - 1, range.upperBound].filter(days.indices.contains).map {
            days[$0]
        }
    }

    private func days(on index: Int) -> [Day] { Array(days[range(of: index)]) }

    private func range(of index: Int) -> Range<Int> {
        index * Self.length..<min(days.count, (index + 1) * Self.length)
    }

    /// Returns the page at `index`; calls `galleryDay` for one day at a time.
    func page(_ index: Int, galleryDay: (Day) throws -> GalleryDay) rethrows -> [UInt8] {
        let range = range(of: index)
        let grid = PictureGrid(
            days: days(on: index), before: pageLink(to: range.lowerBound - 1),
            after: pageLink(to: range.upperBound))
        var articles: HTML = ""
        for (index, day) in grid.days.enumerated() {
            grid.append(try galleryDay(day), at: index, date: day.formatted, to: &articles)
        }
        let cards = index > 0 ? [] : try collections.map { try Self.card($0, galleryDay) }
        let shelf = HTML.shelf("Collections", "collections", cards)
        let title = collection?.title ?? "Favorites"
        let section: HTML? =
            shelf == nil
            ? "<div class=\"grid\">\n\(articles)</div>\n"
            : .shelf("All favorites", "all", [articles])
        let content: HTML = """
            <div class="heading">
            <h1>\(title)</h1>
            <nav class="around" aria-label="More favorites">\
            \(collection.map { _ in "<a href=\"favorites.html\">All favorites</a> " as HTML })\
            \(index > 0 ? link(to: index - 1) : nil)\
            \(index + 1 < count ? link(to: index + 1) : nil)</nav>
            </div>
            \(shelf)\(days.isEmpty ? Self.invitation : section)
            """
        return PageFrame(title: title).page(content)
    }

    private static func card(
        _ collection: FavoriteCollection, _ galleryDay: (Day) throws -> GalleryDay
    ) rethrows -> HTML {
        var cover: String?
        for day in collection.days.prefix(FavoriteCollection.coverCandidates) where cover == nil {
            cover = try galleryDay(day).cover
        }
        return .group(
            collection.title, collection.days.count, at: "\(collection.stem).html",
            cover: cover.map { "../\($0.percentEncodedPath)" })
    }

    private func link(to index: Int) -> HTML {
        "<a href=\"\(name(index))\">Page \(index + 1)</a> "
    }

    private func pageLink(to index: Int) -> PageLink? {
        guard days.indices.contains(index) else { return nil }
        let day = days[index]
        return PageLink(link: "\(name(index / Self.length))#\(day)", day: day)
    }

    private static let invitation: HTML = """
        <p class="empty">There are no favorites yet. In your file manager, hold Ctrl and Shift and drag a picture into the \
        folder <b>favorites</b> of the mirror.</p>

        """
}

extension HTML {
    /// A section with a grid of cards; `nil` without any.
    static func shelf(
        _ title: HTML, _ identifier: HTML, _ cards: [HTML], more: HTML? = nil
    ) -> HTML? {
        guard !cards.isEmpty else { return nil }
        return """
            <section id="\(identifier)">
            <h2>\(more.map { "<a href=\"\($0)\">\(title)</a>" } ?? title)</h2>
            <div class="grid">
            \(cards)</div>
            </section>

            """
    }

    /// The card of a group of days: a link to its page with a picture of one of the days, the title and the
    /// count.
    static func group(_ title: String, _ count: Int, at page: String, cover: String?) -> HTML {
        let image: HTML? = cover.map {
            "<img src=\"\($0)\" alt=\"\" loading=\"lazy\" decoding=\"async\">"
        }
        return """
            <a class="card" href="\(page)"><span class="tile">\(image ?? GalleryDay.emptyTile(""))</span>\
            <span class="name">\(title)</span> \
            <span class="count">\(count) \(count == 1 ? "day" : "days")</span></a>

            """
    }
}
