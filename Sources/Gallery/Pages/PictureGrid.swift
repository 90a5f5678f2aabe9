internal import APOD

/// Days side by side on one page, in an order that one can walk through.
struct PictureGrid {
    /// In the order of the page.
    let days: [Day]
    /// Where the walk goes on before the first and after the last of them.
    var before: Navigation.PageLink?
    var after: Navigation.PageLink?

    /// The day at `index` as a part of the page, a card that opens.
    func article(_ exhibit: GalleryDay, at index: Int, date: String) -> HTML {
        let ways = Navigation(
            next: index + 1 < days.count ? .here(days[index + 1]) : after,
            previous: index > 0 ? .here(days[index - 1]) : before,
            close: "#at-\(exhibit.day)")
        return """
            <article class="day" id="\(exhibit.day)">
            \(exhibit.card(to: "#\(exhibit.day)", base: "../", date: date, identifier: "at-\(exhibit.day)"))\
            \(exhibit.view(ways, base: "../"))</article>

            """
    }
}

extension Navigation.PageLink {
    /// To a day of the same page.
    static func here(_ day: Day) -> Self { Self(link: "#\(day)", day: day) }

    /// To a day on the page of its year.
    static func year(of day: Day) -> Self { Self(link: "\(day.year).html#\(day)", day: day) }
}
