internal import APOD
internal import Platform

/// The grid of days on a page of a month or of favorites, newest first: the card of each day, and the opened day beside it.
///
/// The opened day is hidden until a person clicks on the card. It has links to the days next to it in the grid; at the ends of
/// the grid, these links lead to other pages.
struct PictureGrid {
    let days: [Day]
    /// The day on another page that comes before the first of ``days``; `nil` if there is no newer day.
    let newer: NeighborLink?
    /// The day on another page that comes after the last of ``days``; `nil` if there is no older day.
    let older: NeighborLink?

    /// Appends the grid to `page`, with one record at a time in memory; `date` returns the text of a date.
    func append(
        to page: inout HTML, date: (Day) -> String, from reader: DayReader
    ) throws(SystemError) {
        for (index, day) in days.enumerated() {
            let galleryDay = try reader.galleryDay(of: day)
            let card = galleryDay.card(
                to: "#\(day)", root: "../", date: date(day), identifier: "at-\(day)")
            let opened = galleryDay.opened(newer: newerDay(at: index), older: olderDay(at: index))
            page += """
                <article class="day" id="\(day)">
                \(card)\
                \(opened)</article>

                """
        }
    }

    private func newerDay(at index: Int) -> NeighborLink? {
        index == days.startIndex ? newer : .onThisPage(days[index - 1])
    }

    private func olderDay(at index: Int) -> NeighborLink? {
        index + 1 == days.endIndex ? older : .onThisPage(days[index + 1])
    }
}

/// A link from an opened day to the next newer or older day.
struct NeighborLink {
    let address: HTML
    let day: Day

    fileprivate static func onThisPage(_ day: Day) -> Self { Self(address: "#\(day)", day: day) }
}
