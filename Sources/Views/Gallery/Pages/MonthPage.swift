internal import APOD
internal import Mirror
internal import Platform

/// The page of one month: a grid of its days, newest first, each of which can be opened.
struct MonthPage: Sendable {
    let month: GalleryMonth
    /// Identifies everything from which the page is made: its days, the days next to it, and links between days.
    let digest: InputDigest

    /// The size of the HTML of most days, in bytes, for which memory is reserved.
    private static let typicalDaySize = 5000

    init(_ month: GalleryMonth, links: DayLinks) {
        self.month = month
        var digest = month.digest
        for day in [month.older, month.newer] { digest.add(day?.number ?? 0) }
        for day in month.days { links.addInputs(ofPageOf: day, to: &digest) }
        self.digest = digest
    }

    var path: String { "\(PageFrame.folder)/\(month.newest.galleryPage)" }

    /// Makes the page, whose days `reader` reads; `nil` if the present page stays.
    func file(from reader: DayReader) throws(SystemError) -> ViewFiles.File? {
        let day = month.newest
        let title = "\(day.monthName) \(day.year)"
        var page = PageFrame(title: title, scripts: ["foldings.js", "hits.js"]).start
        page.reserveBytes(month.days.count * Self.typicalDaySize)
        page += """
            <div class="heading">
            <h1>\(title)</h1>
            <nav class="around" aria-label="Months">\
            \(link(toMonthOf: month.newer))\(link(toMonthOf: month.older))\
            <a href="\(day.year).html">All of \(day.year)</a></nav>
            </div>
            <div class="grid">

            """
        let grid = PictureGrid(
            days: month.days, newer: month.newer.map(link(toOpened:)),
            older: month.older.map(link(toOpened:)))
        try grid.append(to: &page, date: \.formattedWithoutYear, from: reader)
        page += "</div>\n\(PageFrame.end)"
        return reader.fileToPublish(page.bytes, at: path, from: digest)
    }

    private func link(toMonthOf day: Day?) -> HTML? {
        day.map { "<a href=\"\($0.galleryPage)\">\($0.monthName) \($0.year)</a> " }
    }

    private func link(toOpened day: Day) -> NeighborLink {
        NeighborLink(address: "\(day.galleryLink)", day: day)
    }
}
