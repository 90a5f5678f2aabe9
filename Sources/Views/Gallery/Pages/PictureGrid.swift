internal import APOD

/// The grid of days on one page, with links from each day to its neighbours.
struct PictureGrid {
    /// In the order of the page.
    let days: [Day]
    /// The days before the first and after the last one.
    var before: PageLink?
    var after: PageLink?

    /// Appends the card and the opened view of the day at `index` to `page`.
    func append(_ galleryDay: GalleryDay, at index: Int, date: String, to page: inout HTML) {
        page += article(galleryDay.fitting(page.bytes.count), at: index, date: date)
    }

    private func article(_ galleryDay: GalleryDay, at index: Int, date: String) -> HTML {
        let next = index + 1 < days.count ? .here(days[index + 1]) : after
        let previous = index > 0 ? .here(days[index - 1]) : before
        return """
            <article class="day" id="\(galleryDay.day)">
            \(galleryDay.card(to: "#\(galleryDay.day)", base: "../", date: date, identifier: "at-\(galleryDay.day)"))\
            \(galleryDay.view(next: next, previous: previous))</article>

            """
    }
}

extension PageLink {
    /// A link to a day on the same page.
    static func here(_ day: Day) -> Self { Self(link: "#\(day)", day: day) }

    /// A link to a day on the page of its month.
    static func month(of day: Day) -> Self { Self(link: "\(day.link)", day: day) }
}
