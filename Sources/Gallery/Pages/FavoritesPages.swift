internal import APOD

/// The favorites or one collection of them, newest first, on one page or, where there are very many, on
/// several.
struct FavoritesPages {
    /// As many as the page of a year may have.
    private static let length = 366

    /// `nil` stands for all favorites.
    let collection: FavoriteCollection?
    /// Newest first.
    let days: [Day]
    /// The collections that the first page leads to.
    let collections: [FavoriteCollection]

    /// The pages of all favorites.
    init(days: [Day], collections: [FavoriteCollection]) {
        (collection, self.days, self.collections) = (nil, days, collections)
    }

    init(_ collection: FavoriteCollection) {
        (self.collection, days, collections) = (collection, collection.days, [])
    }

    var count: Int { max(1, (days.count + Self.length - 1) / Self.length) }

    /// The name of the page at `index`.
    func name(_ index: Int) -> String {
        let stem = collection?.stem ?? "favorites"
        return index == 0 ? "\(stem).html" : "\(stem)-\(index + 1).html"
    }

    /// The days that the page at `index` shows in any way.
    func shown(on index: Int) -> [Day] {
        days(on: index)
            + (index == 0 ? collections.flatMap { $0.days.prefix(FavoriteCollection.covers) } : [])
    }

    private func days(on index: Int) -> [Day] { Array(days[range(of: index)]) }

    private func range(of index: Int) -> Range<Int> {
        index * Self.length..<min(days.count, (index + 1) * Self.length)
    }

    /// Makes the page at `index`; each day is asked for when it is its turn.
    func page(_ index: Int, exhibit: (Day) throws -> GalleryDay) rethrows -> [UInt8] {
        let range = range(of: index)
        let wall = PictureGrid(
            days: days(on: index), before: way(to: range.lowerBound - 1),
            after: way(to: range.upperBound))
        var articles: HTML = ""
        for (index, day) in wall.days.enumerated() {
            articles += wall.article(try exhibit(day), at: index, date: day.inWords)
        }
        let shelf: HTML? =
            index > 0 || collections.isEmpty
            ? nil : Self.shelf(try collections.map { try Self.card($0, exhibit) })
        let title = collection?.title ?? "Favorites"
        var grid: HTML = "<div class=\"grid\">\n\(articles)</div>\n"
        if shelf != nil {
            grid = "<section id=\"all\">\n<h2>All favorites</h2>\n\(grid)</section>\n"
        }
        let content: HTML = """
            <div class="heading">
            <h1>\(title)</h1>
            <nav class="around" aria-label="More favorites">\
            \(collection.map { _ in "<a href=\"favorites.html\">All favorites</a> " as HTML })\
            \(index > 0 ? link(to: index - 1) : nil)\
            \(index + 1 < count ? link(to: index + 1) : nil)</nav>
            </div>
            \(shelf ?? "")\(days.isEmpty ? Self.invitation : grid)
            """
        return PageFrame(title: "\(title) – Astronomy Picture of the Day").page(content)
    }

    private static func shelf(_ cards: [HTML]) -> HTML {
        """
        <section id="collections">
        <h2>Collections</h2>
        <div class="grid">
        \(cards)</div>
        </section>

        """
    }

    private static func card(
        _ collection: FavoriteCollection, _ exhibit: (Day) throws -> GalleryDay
    ) rethrows -> HTML {
        var cover: String?
        for day in collection.days.prefix(FavoriteCollection.covers) where cover == nil {
            cover = try exhibit(day).cover
        }
        return .group(
            collection.title, collection.days.count, at: "\(collection.stem).html",
            cover: cover.map { "../\($0.asLink)" })
    }

    private func link(to index: Int) -> HTML {
        "<a href=\"\(name(index))\">Page \(index + 1)</a> "
    }

    private func way(to index: Int) -> Navigation.PageLink? {
        guard days.indices.contains(index) else { return nil }
        let day = days[index]
        return Navigation.PageLink(link: "\(name(index / Self.length))#\(day)", day: day)
    }

    private static let invitation: HTML = """
        <p class="empty">There are none yet. Drop a link to a picture into the folder <b>favorites</b> \
        of the mirror, with Ctrl and Shift held down in your file manager, and it appears here.</p>

        """
}

extension HTML {
    /// A card that stands for many days.
    ///
    /// - Parameters:
    ///   - title: What they have in common.
    ///   - count: How many there are.
    ///   - page: Where it leads.
    ///   - cover: Where a picture of one of them is.
    /// - Returns: A link.
    static func group(_ title: String, _ count: Int, at page: String, cover: String?) -> HTML {
        let image: HTML? = cover.map {
            "<img src=\"\($0)\" alt=\"\" loading=\"lazy\" decoding=\"async\">"
        }
        return """
            <a class="card" href="\(page)"><span class="tile">\(image ?? GalleryDay.blank(""))</span>\
            <span class="name">\(title)</span> \
            <span class="count">\(count) \(count == 1 ? "day" : "days")</span></a>

            """
    }
}
