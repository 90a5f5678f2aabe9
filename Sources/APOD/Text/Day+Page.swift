internal import Platform

extension Day {
    /// The first date in the HTML of a page of NASA, written "2007 July 16" or "July 16, 2007"; `nil` if there is none.
    ///
    /// The title and the heading come first, links to other days last, so that the beginning of the page is enough.
    init?(onPage html: String) {
        // The last two words before the current one.
        var (first, second) = ("", "")
        var rest = html.utf8.prefix(8 << 10)
        while let start = rest.firstIndex(where: \.isASCIIWord) {
            let word = rest[start...].prefix(while: \.isASCIIWord)
            rest = rest[word.endIndex...]
            let third = String(decoding: word, as: UTF8.self)
            let date =
                Day(words: first, month: second, day: third)
                ?? Day(words: third, month: first, day: second)
            if let date {
                self = date
                return
            }
            (first, second) = (second, third)
        }
        return nil
    }

    /// `month` is a whole name in English: one that is abbreviated is that of another date on a page.
    private init?(words year: String, month: String, day: String) {
        guard let index = Self.months.firstIndex(of: month.lowercased()), let year = Int(year),
            let day = Int(day)
        else { return nil }
        self.init(year: year, month: index + 1, day: day)
    }
}
