internal import APOD
internal import Platform

/// The grid of days on one page, newest first, with links from each day to its neighbors.
struct PictureGrid {
    let days: [Day]
    /// The days next to those of the page, on other pages.
    var newer: NeighborLink?
    var older: NeighborLink?

    /// Appends the card and the opened view of each day to `page`; one record at a time is in memory.
    func append(
        to page: inout HTML, date: (Day) -> String, _ reader: DayReader
    ) throws(SystemError) {
        for (index, day) in days.enumerated() {
            let galleryDay = try reader.galleryDay(of: day)
            let newer = index > 0 ? .onThisPage(days[index - 1]) : newer
            let older = index + 1 < days.count ? .onThisPage(days[index + 1]) : older
            page += """
                <article class="day" id="\(day)">
                \(galleryDay.card(to: "#\(day)", base: "../", date: date(day), identifier: "at-\(day)"))\
                \(galleryDay.opened(newer: newer, older: older))</article>

                """
        }
    }
}

/// A link from the opened view of a day to the next newer or older day.
struct NeighborLink {
    let address: HTML
    let day: Day

    fileprivate static func onThisPage(_ day: Day) -> Self { Self(address: "#\(day)", day: day) }
}
