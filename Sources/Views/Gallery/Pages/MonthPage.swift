internal import APOD

/// The page of one month, newest day first: a grid of its days, and each of them opened.
///
/// It is built day by day to keep only one record in memory.
struct MonthPage {
    /// The typical size of a day, in bytes.
    private static let dayCapacity = 5000

    private let grid: PictureGrid
    private var content: HTML

    init(_ month: GalleryMonth) {
        let day = month.newest
        grid = PictureGrid(
            days: month.days, before: month.later.map { .month(of: $0) },
            after: month.earlier.map { .month(of: $0) })
        let title = "\(day.monthName) \(day.year)"
        content = PageFrame(title: title, scripts: ["hits.js"]).start
        content.reserve(month.days.count * Self.dayCapacity)
        content += """
            <div class="heading">
            <h1>\(title)</h1>
            <nav class="around" aria-label="Months">\
            \(Self.link(to: month.later))\(Self.link(to: month.earlier))\
            <a href="\(day.year).html">All of \(day.year)</a></nav>
            </div>
            <div class="grid">

            """
    }

    private static func link(to day: Day?) -> HTML? {
        day.map { "<a href=\"\($0.page)\">\($0.monthName) \($0.year)</a> " }
    }

    /// Appends the next day.
    mutating func add(_ galleryDay: GalleryDay, at index: Int) {
        grid.append(galleryDay, at: index, date: galleryDay.day.formattedWithoutYear, to: &content)
    }

    /// The page after all days were added.
    var finished: [UInt8] { ("\(content)</div>\n\(PageFrame.end)" as HTML).bytes }
}
