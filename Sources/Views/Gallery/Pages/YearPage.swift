internal import APOD

/// The page of one year: a calendar, and all days by month, newest first, with links to the pages of the months.
struct YearPage {
    let year: GalleryYear
    /// The years before and after it that have days.
    let neighbors: [Int]

    /// Returns the page with the `sections` of its months, which ``YearMonth`` makes.
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

    /// The calendar of one month: a number for each day until the last one with a record, and links to days with records.
    private static func calendarSheet(of month: GalleryMonth) -> HTML {
        let newest = month.newest
        // The number of the first of the month; the number 0 is 1 January 1970, a Thursday. Monday is the weekday 1.
        let numberOfFirst = newest.number - newest.day + 1
        let weekdayOfFirst = (numberOfFirst + 3) % 7 + 1
        var numbers: [HTML] = []
        var previous = 0
        for day in month.days.reversed() {
            for missing in previous + 1..<day.day { numbers.append("<span>\(missing)</span>") }
            numbers.append("<a href=\"\(day.galleryLink)\">\(day.day)</a>")
            previous = day.day
        }
        return """
            <div class="sheet"><h2>\(newest.monthName)</h2>\
            <p class="from-\(weekdayOfFirst)">\(numbers)</p></div>

            """
    }
}
