internal import APOD

/// The page of one year, newest day first: a calendar and all days by month, which lead to the pages of the months.
struct YearPage {
    let year: GalleryYear
    /// The next year with days and the one before, if there are any.
    let neighbors: [Int]

    /// The page with the `sections` of the months, newest first; see ``YearMonth``.
    func page(_ sections: HTML) -> [UInt8] {
        let yearLinks = neighbors.map { "<a href=\"\($0).html\">\($0)</a> " as HTML }
        let monthLinks = year.months.map { month -> HTML in
            "<a href=\"#\(Self.identifier(month.newest))\">\(month.newest.monthName)</a>\n"
        }
        let calendar = year.months.reversed().map(Self.calendarSheet)
        return PageFrame(title: "\(year.year)", months: year.months.map(\.name)).page(
            """
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
            \(sections)
            """)
    }

    /// The `id` of the section of a month, such as `november`.
    static func identifier(_ day: Day) -> String { Day.months[day.month - 1] }

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
