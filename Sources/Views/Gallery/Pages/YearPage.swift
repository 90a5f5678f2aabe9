internal import APOD

/// The page of one year, newest day first: a calendar and all days by month, which lead to the pages of the months.
///
/// It is built day by day to keep only one record in memory.
struct YearPage {
    /// The typical size of the HTML of a day, in bytes, to allocate the page at once.
    private static let typicalDaySize = 400

    private var content: HTML
    /// The month that is not closed yet; `nil` before the first day.
    private var month: Int?

    /// Begins the page; `neighbors` are the next year with days and the one before, if there are any.
    init(_ year: GalleryYear, neighbors: [Int]) {
        let yearLinks = neighbors.map { "<a href=\"\($0).html\">\($0)</a> " as HTML }
        let monthLinks = year.months.map { month -> HTML in
            "<a href=\"#\(Self.identifier(month.newest))\">\(month.newest.monthName)</a>\n"
        }
        let calendar = year.months.reversed().map(Self.calendarSheet)
        content = PageFrame(title: "\(year.year)", months: year.months.map(\.name)).start
        content.reserve(year.days.count * Self.typicalDaySize)
        content += """
            <div class="heading">
            <h1>\(year.year)</h1>
            <nav class="around" aria-label="Years">\
            \(yearLinks)</nav>
            </div>
            <nav class="months" aria-label="Months">
            \(monthLinks)</nav>
            <details class="calendar">
            <summary>Calendar</summary>
            <div>
            \(calendar)</div>
            </details>

            """
    }

    /// The `id` of the section of a month, such as `november`.
    private static func identifier(_ day: Day) -> String { Day.months[day.month - 1] }

    /// Appends the next day; they must be added newest first.
    mutating func add(_ galleryDay: GalleryDay) {
        let day = galleryDay.day
        if day.month != month { beginMonth(of: day) }
        content += galleryDay.card(
            to: day.galleryLink, base: "../", date: day.formattedWithoutYear, identifier: "\(day)")
    }

    /// The heading has the `id` `2026-11`: an address such as `2026.html#2026-11` leads there, too.
    private mutating func beginMonth(of day: Day) {
        if month != nil { content += Self.monthEnd }
        month = day.month
        content += """
            <section class="month" id="\(Self.identifier(day))">
            <h2 id="\(Month(of: day).description)"><a href="\(day.galleryPage)">\(day.monthName)</a></h2>
            <div class="grid">

            """
    }

    private static let monthEnd: HTML = "</div>\n</section>\n"

    /// The page after all days were added, at least one.
    var finished: [UInt8] { ("\(content)\(Self.monthEnd)\(PageFrame.end)" as HTML).bytes }

    /// The calendar of one month: a number for each day until the last with a record, and a link if it has one.
    private static func calendarSheet(of month: GalleryMonth) -> HTML {
        let newest = month.newest
        // Day.number counts from 1 January 1970, a Thursday. Monday is 1.
        let weekdayOfTheFirst = (newest.number - newest.day + 4) % 7 + 1
        var numbers: [HTML] = []
        var previous = 0
        for day in month.days.reversed() {
            for missing in previous + 1..<day.day { numbers.append("<span>\(missing)</span>") }
            numbers.append("<a href=\"\(day.galleryLink)\">\(day.day)</a>")
            previous = day.day
        }
        return """
            <div class="sheet"><h2>\(newest.monthName)</h2>\
            <p class="from-\(weekdayOfTheFirst)">\(numbers)</p></div>

            """
    }
}
