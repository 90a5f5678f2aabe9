internal import Platform

extension Day {
    /// How much of a page is searched for its date, in bytes: the title and the heading, but not the links to other days.
    private static let searchedBytesOfPage = 8 << 10

    /// The first date in the HTML of a page of NASA, "2007 July 16" or "July 16, 2007"; `nil` if there is none.
    init?(onPage html: String) {
        let head = html.utf8.prefix(Self.searchedBytesOfPage)
        let words = head.split { !$0.isASCIIWord }.map { String(decoding: $0, as: UTF8.self) }
        let days = words.indices.dropLast(2).lazy.compactMap { index in
            let (first, second, third) = (words[index], words[index + 1], words[index + 2])
            return Day(yearWord: first, month: second, day: third)
                ?? Day(yearWord: third, month: first, day: second)
        }
        guard let day = days.first else { return nil }
        self = day
    }

    /// The name of `month` must be complete: pages abbreviate months only in other dates.
    private init?(yearWord: String, month: String, day: String) {
        guard let monthIndex = Self.months.firstIndex(of: month.lowercased()),
            let year = Int(yearWord), let dayOfMonth = Int(day)
        else { return nil }
        self.init(year: year, month: monthIndex + 1, day: dayOfMonth)
    }
}
