internal import APOD
internal import Mirror
internal import Platform

/// The pages of all favorites or of one collection, newest first: `favorites.html`, `favorites-2.html` and so on.
///
/// Pages have indices from 0 to ``count`` - 1. All are in ``PageFrame/folder``.
struct FavoritesPages {
    /// The maximum number of days on a page: with their texts, they are about 400 kB of HTML.
    private static let daysPerPage = 90

    /// The collection that the pages show; `nil` if they show all favorites.
    private let collection: FavoriteCollection?
    /// Newest first; empty only if there are no favorites at all.
    private let days: [Day]
    /// The collections to which the first page links; empty for the pages of one collection.
    private let collections: [FavoriteCollection]

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
    var count: Int { max(1, (days.count + Self.daysPerPage - 1) / Self.daysPerPage) }

    func fileName(ofPage index: Int) -> String {
        let stem = collection?.stem ?? "favorites"
        return index == 0 ? "\(stem).html" : "\(stem)-\(index + 1).html"
    }

    /// Identifies everything from which the page at `index` is made.
    func digest(ofPage index: Int, in input: ViewInput, links: DayLinks) -> InputDigest {
        let range = range(ofPage: index)
        let shown = days[range] + collections(onPage: index).flatMap(\.coverCandidates)
        let neighbors = [link(toDayAt: range.lowerBound - 1), link(toDayAt: range.upperBound)]
        var digest = InputDigest()
        digest.add(index)
        digest.add(count)
        for files in shown.compactMap({ input.snapshot[$0] }) {
            digest.addRecordAndNames(of: files)
        }
        digest.add(shown)
        digest.add(neighbors.compactMap { $0?.day })
        digest.add(shown.filter(input.renditions.contains))
        for day in shown { links.addInputs(ofPageOf: day, to: &digest) }
        for collection in collections {
            digest.add(collection.name)
            digest.add(collection.days.count)
        }
        return digest
    }

    private func collections(onPage index: Int) -> [FavoriteCollection] {
        index == 0 ? collections : []
    }

    /// The positions in ``days`` of the days on the page.
    private func range(ofPage index: Int) -> Range<Int> {
        index * Self.daysPerPage..<min(days.count, (index + 1) * Self.daysPerPage)
    }

    /// The HTML of the page at `index`, made with one record at a time in memory.
    func page(at index: Int, from reader: DayReader) throws(SystemError) -> [UInt8] {
        let range = range(ofPage: index)
        let grid = PictureGrid(
            days: Array(days[range]), newer: link(toDayAt: range.lowerBound - 1),
            older: link(toDayAt: range.upperBound))
        var articles: HTML = ""
        try grid.append(to: &articles, date: \.formatted, from: reader)
        let shelf = HTML.shelf(
            "Collections", id: "collections", cards: try collectionCards(onPage: index, reader))
        // The favorites have a heading of their own only below the collections.
        let section: HTML? =
            if shelf == nil {
                "<div class=\"grid\">\n\(articles)</div>\n"
            } else {
                HTML.shelf("All favorites", id: "all", cards: [articles])
            }
        let linkToAll: HTML? =
            collection == nil ? nil : "<a href=\"favorites.html\">All favorites</a> "
        let title = collection?.title ?? "Favorites"
        return PageFrame(title: title).page(
            """
            <div class="heading">
            <h1>\(title)</h1>
            <nav class="around" aria-label="More favorites">\
            \(linkToAll)\(anchor(toPage: index - 1))\(anchor(toPage: index + 1))</nav>
            </div>
            \(shelf)\(days.isEmpty ? Self.invitation : section)
            """)
    }

    private func collectionCards(
        onPage index: Int, _ reader: DayReader
    ) throws(SystemError) -> [HTML] {
        try collections(onPage: index).map { collection throws(SystemError) in
            HTML.groupCard(
                collection.title, dayCount: collection.days.count,
                to: "\(collection.stem).html",
                coverDay: try reader.cover(of: collection.coverCandidates), root: "../")
        }
    }

    private func anchor(toPage index: Int) -> HTML? {
        guard 0..<count ~= index else { return nil }
        return "<a href=\"\(fileName(ofPage: index))\">Page \(index + 1)</a> "
    }

    private func link(toDayAt index: Int) -> NeighborLink? {
        guard days.indices.contains(index) else { return nil }
        let (day, page) = (days[index], fileName(ofPage: index / Self.daysPerPage))
        return NeighborLink(address: "\(page)#\(day)", day: day)
    }

    private static let invitation: HTML = """
        <p class="empty">There are no favorites yet. In your file manager, hold Ctrl and Shift and drag a picture into the \
        folder <b>favorites</b> of the mirror.</p>

        """
}

/// A directory in `favorites/` as the gallery shows it.
struct FavoriteCollection: Sendable {
    /// The path in `favorites/`.
    let name: String
    /// Newest first.
    let days: [Day]

    /// The newest days, one of which represents the collection: few, because their records are read.
    var coverCandidates: [Day] { Array(days.prefix(8)) }

    /// The collections among `folders` that contain any of `favorites`, sorted by name.
    static func all(_ folders: [String: Set<Day>], of favorites: Set<Day>) -> [FavoriteCollection] {
        let all = folders.map { name, days in
            FavoriteCollection(name: name, days: days.intersection(favorites).sorted(by: >))
        }
        return all.filter { !$0.days.isEmpty }.sorted { $0.name < $1.name }
    }

    var title: String { name.split(separator: "/").joined(separator: " / ").excerpt(120) }

    /// The unique beginning of the names of its pages: `collection-deep-sky-0a1b2c3d`, for example.
    var stem: String {
        let words = name.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        return [
            "collection", String(words.joined(separator: "-").prefix(40)),
            SHA256.digits(8, of: Array(name.utf8)),
        ].filter { !$0.isEmpty }.joined(separator: "-")
    }
}
