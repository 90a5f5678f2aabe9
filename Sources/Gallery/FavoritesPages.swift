internal import APOD

/// The favorites, newest first, on one page or, where there are very many, on several.
struct FavoritesPages {
    /// As many as the page of a year may have.
    private static let length = 366

    /// Newest first.
    let days: [Day]

    var count: Int { max(1, (days.count + Self.length - 1) / Self.length) }

    /// The name of the page at `index`.
    static func name(_ index: Int) -> String {
        index == 0 ? "favorites.html" : "favorites-\(index + 1).html"
    }

    /// The days on the page at `index`.
    func days(on index: Int) -> [Day] { Array(days[range(of: index)]) }

    private func range(of index: Int) -> Range<Int> {
        index * Self.length..<min(days.count, (index + 1) * Self.length)
    }

    /// Makes the page at `index`; each day is asked for when it is its turn.
    func page(_ index: Int, exhibit: (Day) throws -> Exhibit) rethrows -> [UInt8] {
        let range = range(of: index)
        let wall = Wall(
            days: days(on: index), before: way(to: range.lowerBound - 1),
            after: way(to: range.upperBound))
        var articles: HTML = ""
        for (index, day) in wall.days.enumerated() {
            articles += wall.article(try exhibit(day), at: index, date: day.inWords)
        }
        let content: HTML = """
            <div class="heading">
            <h1>Favorites</h1>
            <nav class="around" aria-label="More favorites">\(index > 0 ? link(to: index - 1) : nil)\
            \(index + 1 < count ? link(to: index + 1) : nil)</nav>
            </div>
            \(days.isEmpty ? Self.invitation : "<div class=\"grid\">\n\(articles)</div>\n")
            """
        return PageFrame(title: "Favorites – Astronomy Picture of the Day").page(content)
    }

    private func link(to index: Int) -> HTML {
        "<a href=\"\(Self.name(index))\">Page \(index + 1)</a> "
    }

    private func way(to index: Int) -> Ways.Way? {
        guard days.indices.contains(index) else { return nil }
        let day = days[index]
        return Ways.Way(link: "\(Self.name(index / Self.length))#\(day)", day: day)
    }

    private static let invitation: HTML = """
        <p class="empty">There are none yet. Drop a link to a picture into the folder <b>favorites</b> \
        of the mirror, with Ctrl and Shift held down in your file manager, and it appears here.</p>

        """
}
