internal import APOD
internal import Mirror
internal import Platform

/// The days on the pages of all favorites or of one collection: `favorites.html`, `favorites-2.html` and so on.
struct FavoritesPages {
    /// The maximum number of days on a page: with their texts, they are about 400 kB of HTML.
    fileprivate static let daysPerPage = 90

    /// The collection that the pages show; `nil` if they show all favorites.
    fileprivate let collection: FavoriteCollection?
    /// Newest first; empty only if there are no favorites at all.
    fileprivate let days: [Day]
    /// The collections to which the first page links; empty for the pages of one collection.
    fileprivate let collections: [FavoriteCollection]

    init(ofAll favorites: [Day], in collections: [FavoriteCollection]) {
        collection = nil
        days = favorites
        self.collections = collections
    }

    init(of collection: FavoriteCollection) {
        self.collection = collection
        days = collection.days
        collections = []
    }

    /// The number of pages: the number of days divided by ``daysPerPage``, rounded up, but at least one.
    fileprivate var count: Int { max(1, (days.count + Self.daysPerPage - 1) / Self.daysPerPage) }

    /// All pages, the one with the newest days first.
    var all: [FavoritesPage] { (0..<count).map { FavoritesPage(pages: self, index: $0) } }
}

/// One of the ``FavoritesPages``.
struct FavoritesPage {
    fileprivate let pages: FavoritesPages
    /// From 0 to the number of pages - 1.
    fileprivate let index: Int

    var path: String { "\(PageFrame.folder)/\(fileName(ofPage: index))" }

    private func fileName(ofPage index: Int) -> String {
        let stem = pages.collection?.stem ?? "favorites"
        return index == 0 ? "\(stem).html" : "\(stem)-\(index + 1).html"
    }

    // MARK: What the page shows

    /// The positions in the days of all pages.
    private var range: Range<Int> {
        let size = FavoritesPages.daysPerPage
        return index * size..<min(pages.days.count, (index + 1) * size)
    }

    private var days: ArraySlice<Day> { pages.days[range] }

    /// The link to the last day of the page before; `nil` on the first page.
    private var newer: NeighborLink? { link(toDayAt: range.lowerBound - 1) }
    /// The link to the first day of the page after; `nil` on the last page.
    private var older: NeighborLink? { link(toDayAt: range.upperBound) }

    private func link(toDayAt position: Int) -> NeighborLink? {
        guard pages.days.indices.contains(position) else { return nil }
        let day = pages.days[position]
        let page = fileName(ofPage: position / FavoritesPages.daysPerPage)
        return NeighborLink(address: "\(page)#\(day)", day: day)
    }

    private var collections: [FavoriteCollection] { index == 0 ? pages.collections : [] }

    /// Identifies everything from which the page is made.
    func digest(in input: ViewInput, links: DayLinks) -> InputDigest {
        let shown = days + collections.flatMap(\.coverCandidates)
        var digest = InputDigest()
        digest.add(index)
        digest.add(pages.count)
        for files in shown.compactMap({ input.snapshot[$0] }) {
            digest.addRecordAndNames(of: files)
        }
        digest.add(shown)
        digest.add([newer, older].compactMap { $0?.day })
        digest.add(shown.filter(input.renditions.contains))
        for day in shown { links.addInputs(ofPageOf: day, to: &digest) }
        for collection in pages.collections {
            digest.add(collection.name)
            digest.add(collection.days.count)
        }
        return digest
    }

    // MARK: HTML

    /// The HTML of the page, made with one record at a time in memory.
    func html(from reader: DayReader) throws(SystemError) -> [UInt8] {
        var articles: HTML = ""
        try PictureGrid(days: Array(days), newer: newer, older: older)
            .append(to: &articles, date: \.formatted, from: reader)
        let shelf = HTML.shelf(
            "Collections", id: "collections", cards: try collectionCards(from: reader))
        // The favorites have a heading of their own only below the collections.
        let section: HTML? =
            if shelf == nil {
                "<div class=\"grid\">\n\(articles)</div>\n"
            } else {
                HTML.shelf("All favorites", id: "all", cards: [articles])
            }
        let title = pages.collection?.title ?? "Favorites"
        return PageFrame(title: title).page(
            """
            <div class="heading">
            <h1>\(title)</h1>
            <nav class="around" aria-label="More favorites">\
            \(linkToAll)\(anchor(toPage: index - 1))\(anchor(toPage: index + 1))</nav>
            </div>
            \(shelf)\(pages.days.isEmpty ? Self.invitation : section)
            """)
    }

    private func collectionCards(from reader: DayReader) throws(SystemError) -> [HTML] {
        try collections.map { collection throws(SystemError) in
            HTML.groupCard(
                collection.title, dayCount: collection.days.count,
                to: "\(collection.stem).html",
                coverDay: try reader.cover(of: collection.coverCandidates), root: "../")
        }
    }

    /// The link from the pages of a collection to those of all favorites.
    private var linkToAll: HTML? {
        pages.collection == nil ? nil : "<a href=\"favorites.html\">All favorites</a> "
    }

    private func anchor(toPage index: Int) -> HTML? {
        guard 0..<pages.count ~= index else { return nil }
        return "<a href=\"\(fileName(ofPage: index))\">Page \(index + 1)</a> "
    }

    private static let invitation: HTML = """
        <p class="empty">There are no favorites yet. In your file manager, hold Ctrl and Shift and drag a picture into the \
        folder <b>favorites</b> of the mirror.</p>

        """
}
