internal import APOD
internal import Mirror
internal import Platform

/// Finds what there is to show of a day.
struct Curator: Sendable {
    let store: Store
    let favorites: Set<Day>

    /// What there is of `day`.
    ///
    /// `thumbnails` are the days of its year that have one, `nil` to look for its own.
    func exhibit(of day: Day, thumbnails: Set<Day>? = nil) throws(SystemError) -> Exhibit {
        let isSmall = if let thumbnails { thumbnails.contains(day) } else { try hasThumbnail(day) }
        return Exhibit(
            day: day, record: try record(of: day), hasThumbnail: isSmall,
            isFavorite: favorites.contains(day))
    }

    private func record(of day: Day) throws(SystemError) -> DayRecord? {
        do {
            return try store.record(of: day)
        } catch {
            // Longer than any record, a link, no file: not to be read, and no reason to stop.
            guard error.isDamage || error.isNoFolder else { throw error }
            return nil
        }
    }

    private func hasThumbnail(_ day: Day) throws(SystemError) -> Bool {
        do {
            return try store.tree.root.status(Layout.thumbnail(of: day))?.kind == .file
        } catch {
            guard error.isNoFolder else { throw error }
            return false
        }
    }

    /// Makes the page of a year and what a search reads of it, and writes what is new of them.
    func make(
        _ year: Int, _ inventory: YearInventory, edges: YearEdges
    ) throws(SystemError)
        -> MadeYear
    {
        var page = YearPage(year, days: inventory.days, edges: edges)
        for (index, day) in inventory.days.enumerated() {
            page.add(try exhibit(of: day, thumbnails: inventory.thumbnails), at: index)
        }
        let summary = page.summary
        let (html, words) = page.finish()
        var written: [String] = []
        for (path, bytes) in zip(Self.paths(of: year), [html, words]) {
            if try store.keep(bytes, at: path) { written.append(path) }
        }
        return MadeYear(year: year, summary: summary, imprint: inventory.imprint, written: written)
    }

    /// The pages that are made of a year alone.
    static func paths(of year: Int) -> [String] {
        ["\(PageFrame.folder)/\(year).html", "\(PageFrame.folder)/words/\(year).js"]
    }
}

/// A year whose pages are true now.
struct MadeYear: Sendable {
    let year: Int
    let summary: YearPage.Summary
    let imprint: YearImprint
    let written: [String]
}
