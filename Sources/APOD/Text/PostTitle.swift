internal import Platform

/// Reads the date and the title of NASA's posts and web pages, such as "APOD: 2024 December 7 - The Moon".
extension String {
    /// This title without the prefix with the date of `day`: "The Moon".
    ///
    /// ``DateInName`` says which forms the prefix may have. If the date is another day, it is a part of the title. A title
    /// that consists only of the prefix, with or without a date, becomes empty.
    func withoutPostPrefix(of day: Day) -> String {
        guard let prefix = DateInName(startOf: utf8, isTitle: true), prefix.day == day else {
            return ["apod", "apod:"].contains(lowercased()) ? "" : self
        }
        // `prefix.rest` is in lower case, but has the same length as the text after the date.
        let start = utf8.index(endIndex, offsetBy: -prefix.rest.count)
        let title = TextNormalizer.trimmed(self[start...])
        guard let first = title.first else { return "" }
        if "-–—:|,".contains(first) { return TextNormalizer.trimmed(title.dropFirst()) }
        // Without such a sign after it, the date may belong to the title, as in "2026 October 2 at Dawn".
        let hasBlank = prefix.rest.first == UInt8(ascii: " ")
        return hasBlank && lowercased().hasPrefix("apod") ? title : self
    }
}

extension [HTMLNode] {
    /// The title of the web page of `day`, without the date; `nil` if the page has no title.
    func pageTitle(of day: Day) -> String? {
        let start = firstIndex { if case .opening("title", _) = $0 { true } else { false } }
        guard let start, case .text(let text) = dropFirst(start + 1).first else { return nil }
        let title = TextNormalizer.line(text).withoutPostPrefix(of: day)
        return title.isEmpty ? nil : title
    }
}

extension Day {
    /// How much of a page is searched for its date, in bytes: the title and the heading, but not the links to other days.
    private static let searchedBytesOfPage = 8 << 10

    /// The first date in the HTML of a page of NASA, "2007 July 16" or "July 16, 2007"; `nil` if there is none.
    init?(onPage html: String) {
        // The two words before the current one.
        var first = ""
        var second = ""
        var rest = html.utf8.prefix(Self.searchedBytesOfPage)
        while let start = rest.firstIndex(where: \.isASCIIWord) {
            let word = rest[start...].prefix(while: \.isASCIIWord)
            rest = rest[word.endIndex...]
            let third = String(decoding: word, as: UTF8.self)
            let date =
                Day(yearWord: first, month: second, day: third)
                ?? Day(yearWord: third, month: first, day: second)
            if let date {
                self = date
                return
            }
            first = second
            second = third
        }
        return nil
    }

    /// The name of `month` must be complete: pages abbreviate months only in other dates.
    private init?(yearWord year: String, month: String, day: String) {
        guard let index = Self.months.firstIndex(of: month.lowercased()), let year = Int(year),
            let day = Int(day)
        else { return nil }
        self.init(year: year, month: index + 1, day: day)
    }
}
