internal import APOD

/// The page of one year, newest day first: a calendar and all days by month, which lead to the pages of the months.
///
/// It is built day by day to keep only one record in memory.
struct YearPage {
    /// The typical size of a day, in bytes.
    private static let dayCapacity = 400

    private var content: HTML
    private var month = 0

    /// Begins the page; `neighbours` are the years before and after it.
    init(_ year: GalleryYear, neighbours: [Int]) {
        let days = year.days
        content = PageFrame(title: "\(year.number)", months: year.months.map(\.name)).start
        content.reserve(days.count * Self.dayCapacity)
        content += """
            <div class="heading">
            <h1>\(year.number)</h1>
            <nav class="around" aria-label="Years">\
            \(neighbours.map { "<a href=\"\($0).html\">\($0)</a> " as HTML })</nav>
            </div>
            <nav class="months" aria-label="Months">
            \(year.months.map(Self.link))</nav>
            <details class="calendar">
            <summary>Calendar</summary>
            <div>
            \(year.months.reversed().map(Self.sheet))</div>
            </details>

            """
    }

    private static func link(to month: GalleryMonth) -> HTML {
        "<a href=\"#\(Day.months[month.newest.month - 1])\">\(month.newest.monthName)</a>\n"
    }

    /// Appends the next day.
    mutating func add(_ galleryDay: GalleryDay) {
        let day = galleryDay.day
        if day.month != month { begin(day) }
        content += galleryDay.fitting(content.bytes.count).card(
            to: day.link, base: "../", date: day.formattedWithoutYear, identifier: "\(day)")
    }

    private mutating func begin(_ day: Day) {
        if month != 0 { content += Self.monthEnd }
        month = day.month
        content += """
            <section class="month" id="\(Day.months[month - 1])">
            <h2 id="\(Month(of: day).description)"><a href="\(day.page)">\(day.monthName)</a></h2>
            <div class="grid">

            """
    }

    private static let monthEnd: HTML = "</div>\n</section>\n"

    /// The page after all days were added.
    var finished: [UInt8] { ("\(content)\(Self.monthEnd)\(PageFrame.end)" as HTML).bytes }

    /// The calendar of one month.
    private static func sheet(of month: GalleryMonth) -> HTML {
        let first = month.oldest
        // Monday is 1; the first day of 1970 was a Thursday.
        let start = (first.number - first.day + 4) % 7 + 1
        var (links, last): ([HTML], Int) = ([], 0)
        for day in month.days.reversed() {
            for missing in last + 1..<day.day { links.append("<span>\(missing)</span>") }
            links.append("<a href=\"\(day.link)\">\(day.day)</a>")
            last = day.day
        }
        return """
            <div class="sheet"><h2>\(first.monthName)</h2><p class="from-\(start)">\(links)</p></div>

            """
    }
}
