internal import APOD
internal import Mirror
internal import Platform

/// Makes the files of the gallery that show all days of one year.
struct YearBuild: Sendable {
    let year: GalleryYear
    /// The years with days next to it, to which the page links.
    let neighbors: [Int]

    enum File: CaseIterable {
        case page
        /// The titles and pictures, for the pages that scripts fill.
        case days
        /// The texts, for the search.
        case words
        /// The links in the texts, for ``DayLinks`` in later updates; no page reads it.
        case links

        /// The directory of the files of all years, such as `gallery/days`.
        var folder: String { PageFrame.folder + (self == .page ? "" : "/\(self)") }

        func path(of year: Int) -> String {
            let name =
                switch self {
                case .page: "\(year).html"
                case .days, .words: "\(year).js"
                case .links: "\(year).txt"
                }
            return "\(folder)/\(name)"
        }
    }

    var digest: InputDigest {
        var digest = year.digest
        for year in neighbors { digest.add(year) }
        return digest
    }

    var paths: [String] { File.allCases.map { $0.path(of: year.year) } }

    /// Adds the files to `batch`; returns the links in the texts.
    func make(_ reader: DayReader, in batch: ViewBatch) async throws -> LinkList {
        let months = try await year.months.madeConcurrently { month in
            try YearMonth(month, reader)
        }
        let scripts = months.map(\.scripts)
        let links = LinkList(months.map(\.links))
        let page = YearPage(year: year, neighbors: neighbors)
        let files: [(File, [UInt8])] = [
            (.page, page.page(months.map(\.section))),
            (.days, YearScripts.days(of: year.year, in: scripts)),
            (.words, YearScripts.words(of: year.year, in: scripts)), (.links, links.bytes),
        ]
        try batch.add(files.map { reader.page($1, at: $0.path(of: year.year), from: digest) })
        return links
    }
}

/// What the files of a year show of one month, of whose records one at a time is in memory.
private struct YearMonth: Sendable {
    /// The cards of the days on the ``YearPage``.
    private(set) var section: HTML
    private(set) var scripts = YearScripts()
    private(set) var links = LinkList(contents: [])

    /// The heading has the `id` `2026-11`: an address such as `2026.html#2026-11` leads there, too.
    init(_ month: GalleryMonth, _ reader: DayReader) throws(SystemError) {
        let newest = month.newest
        section = """
            <section class="month" id="\(YearPage.identifier(newest))">
            <h2 id="\(month.name)"><a href="\(newest.galleryPage)">\(newest.monthName)</a></h2>
            <div class="grid">

            """
        for day in month.days {
            let galleryDay = try reader.galleryDay(of: day)
            section += galleryDay.card(
                to: day.galleryLink, base: "../", date: day.formattedWithoutYear,
                identifier: "\(day)")
            scripts.add(galleryDay)
            links.add(galleryDay)
        }
        section += "</div>\n</section>\n"
    }
}
