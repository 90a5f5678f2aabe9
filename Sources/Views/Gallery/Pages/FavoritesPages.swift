internal import APOD
internal import Platform

/// The pages of the favorites or of one collection, newest first: `favorites.html`, `favorites-2.html` and so on.
///
/// Pages have indices from 0 to ``count`` - 1; links are relative to ``PageFrame/folder``, where all of them are.
struct FavoritesPages {
    /// The maximum number of days on a page, each of which can be opened there: about 400 kB.
    private static let length = 90

    /// `nil` means all favorites.
    let collection: FavoriteCollection?
    /// Newest first; empty only if there are no favorites at all.
    let days: [Day]
    /// The collections that the first page links to.
    let collections: [FavoriteCollection]

    var count: Int { max(1, (days.count + Self.length - 1) / Self.length) }

    /// The name of the page at `index`.
    func name(_ index: Int) -> String {
        let stem = collection?.stem ?? "favorites"
        return index == 0 ? "\(stem).html" : "\(stem)-\(index + 1).html"
    }

    /// The days that the page at `index` shows, opened or on the card of a collection.
    func shownDays(on index: Int) -> [Day] {
        days[range(of: index)]
            + (index == 0
                ? collections.flatMap { $0.days.prefix(FavoriteCollection.coverCandidates) } : [])
    }

    /// The days next to those of the page at `index`, on other pages, to which it links.
    func neighbours(of index: Int) -> [Day] {
        let range = range(of: index)
        return [link(toDayAt: range.lowerBound - 1), link(toDayAt: range.upperBound)]
            .compactMap { $0?.day }
    }

    /// The indices of the days of a page.
    private func range(of page: Int) -> Range<Int> {
        page * Self.length..<min(days.count, (page + 1) * Self.length)
    }

    /// Returns the page at `index`; one record at a time is in memory.
    func page(_ index: Int, _ reader: DayReader) throws(SystemError) -> [UInt8] {
        let range = range(of: index)
        let grid = PictureGrid(
            days: Array(days[range]), newer: link(toDayAt: range.lowerBound - 1),
            older: link(toDayAt: range.upperBound))
        var articles: HTML = ""
        try grid.append(to: &articles, date: \.formatted, reader)
        let cards = try (index > 0 ? [] : collections).map { collection throws(SystemError) in
            let candidates = collection.days.prefix(FavoriteCollection.coverCandidates)
            let cover = try reader.cover(of: Array(candidates))
            return HTML.groupCard(
                collection.title, collection.days.count, at: "\(collection.stem).html",
                cover: cover.map { "../\($0.percentEncodedPath)" })
        }
        let shelf = HTML.shelf("Collections", "collections", cards)
        let section: HTML? =
            shelf == nil
            ? "<div class=\"grid\">\n\(articles)</div>\n"
            : HTML.shelf("All favorites", "all", [articles])
        let linkToAll: HTML? =
            collection == nil ? nil : "<a href=\"favorites.html\">All favorites</a> "
        let title = collection?.title ?? "Favorites"
        return PageFrame(title: title).page(
            """
            <div class="heading">
            <h1>\(title)</h1>
            <nav class="around" aria-label="More favorites">\
            \(linkToAll)\(link(toPage: index - 1))\(link(toPage: index + 1))</nav>
            </div>
            \(shelf)\(days.isEmpty ? Self.invitation : section)
            """)
    }

    private func link(toPage index: Int) -> HTML? {
        guard 0..<count ~= index else { return nil }
        return "<a href=\"\(name(index))\">Page \(index + 1)</a> "
    }

    private func link(toDayAt index: Int) -> PageLink? {
        guard days.indices.contains(index) else { return nil }
        let day = days[index]
        return PageLink(address: "\(name(index / Self.length))#\(day)", day: day)
    }

    private static let invitation: HTML = """
        <p class="empty">There are no favorites yet. In your file manager, hold Ctrl and Shift and drag a picture into the \
        folder <b>favorites</b> of the mirror.</p>

        """
}
