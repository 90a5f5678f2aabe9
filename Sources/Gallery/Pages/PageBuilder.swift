internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Finds what there is to show of a day.
struct PageBuilder: Sendable {
    let store: Store
    let favorites: Set<Day>

    /// What there is of `day`.
    ///
    /// `thumbnails` are the days of its year that have one, `nil` to look for its own.
    func exhibit(of day: Day, thumbnails: Set<Day>? = nil) throws(SystemError) -> GalleryDay {
        let isSmall = if let thumbnails { thumbnails.contains(day) } else { try hasThumbnail(day) }
        do {
            return GalleryDay(
                day: day, record: try store.record(of: day), hasThumbnail: isSmall,
                isFavorite: favorites.contains(day))
        } catch {
            // One file that cannot be read costs its own day; too many open files would cost them all.
            guard !error.isOutOfDescriptors, error.code != ENOMEM else { throw error }
            // Longer than any record, a link, no file: so it stays until somebody changes it.
            let isLasting = error.isInvalidFile || error.isNotDirectory
            return GalleryDay(
                day: day, record: nil, hasThumbnail: isSmall, isFavorite: favorites.contains(day),
                isDoubtful: !isLasting)
        }
    }

    private func hasThumbnail(_ day: Day) throws(SystemError) -> Bool {
        do {
            return try store.tree.root.status(Layout.thumbnail(of: day))?.kind == .file
        } catch {
            guard error.isNotDirectory else { throw error }
            return false
        }
    }

    /// Makes the page of a year and what a search reads of it, and writes what is new of them.
    ///
    /// What has the place of one of them costs that one alone.
    func make(
        _ year: Int, _ inventory: YearInventory, edges: YearEdges
    ) throws(SystemError)
        -> MadeYear
    {
        var page = YearPage(year, days: inventory.days, edges: edges)
        var made = MadeYear(year: year, summary: page.summary, fingerprint: inventory.fingerprint)
        for (index, day) in inventory.days.enumerated() {
            let exhibit = try exhibit(of: day, thumbnails: inventory.thumbnails)
            if exhibit.isDoubtful { made.isDoubtful = true }
            page.add(exhibit, at: index)
        }
        made.summary = page.summary
        let (html, words) = page.finish()
        for (path, bytes) in zip(Self.paths(of: year), [html, words]) {
            do {
                if try store.publish(bytes, at: path) { made.written.append(path) }
            } catch  where error.isInTheWay {
                made.failed[path] = error
            }
        }
        return made
    }

    /// The pages that are made of a year alone.
    static func paths(of year: Int) -> [String] {
        ["\(PageFrame.folder)/\(year).html", "\(PageFrame.folder)/words/\(year).js"]
    }
}

/// A year whose pages are true now.
struct MadeYear: Sendable {
    let year: Int
    var summary: YearPage.Summary
    let fingerprint: YearFingerprint
    /// Whether a record could not be read that may be readable at any time.
    var isDoubtful = false
    var written: [String] = []
    /// The pages whose place something else has.
    var failed: [String: SystemError] = [:]
}

extension SystemError {
    /// Whether something has the place of what was to be written: a directory, or a link on the way.
    var isInTheWay: Bool { isNotDirectory || code == EISDIR }
}
