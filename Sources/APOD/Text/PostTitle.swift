internal import Platform

extension String {
    /// Removes the prefix of NASA's posts and pages: "APOD: 2024 December 7 - The Moon" becomes "The Moon".
    ///
    /// The prefix has any form of ``DateInName``. Another date than `day` is part of the title. A title that is nothing but
    /// the prefix, even without a date, becomes empty.
    func withoutPostPrefix(of day: Day) -> String {
        guard let prefix = DateInName(startOf: utf8, isTitle: true), prefix.day == day else {
            return ["apod", "apod:"].contains(lowercased()) ? "" : self
        }
        // `prefix.rest` is in lower case, but has the same length as the text after the date.
        let start = utf8.index(endIndex, offsetBy: -prefix.rest.count)
        let title = TextNormalizer.trimmed(self[start...])
        guard let separator = title.first else { return "" }
        if "-–—:|,".contains(separator) { return TextNormalizer.trimmed(title.dropFirst()) }
        // Without a separator, the date may belong to the title, as in "2026 October 2 at Dawn".
        let hasBlank = prefix.rest.first == UInt8(ascii: " ")
        return hasBlank && lowercased().hasPrefix("apod") ? title : self
    }
}

extension [HTMLNode] {
    /// The title of the web page of `day` without the date; `nil` if it has none.
    func pageTitle(of day: Day) -> String? {
        let start = firstIndex { if case .opening("title", _) = $0 { true } else { false } }
        guard let start, case .text(let text) = dropFirst(start + 1).first else { return nil }
        let title = TextNormalizer.line(text).withoutPostPrefix(of: day)
        return title.isEmpty ? nil : title
    }
}

extension Day {
    /// The first date in the HTML of a page of NASA, "2007 July 16" or "July 16, 2007"; `nil` if there is none.
    ///
    /// Only the beginning of the page is read: it has the title and the heading, and the end has links to other days.
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

    /// `month` is a whole name in English, because pages abbreviate it only in other dates.
    private init?(words year: String, month: String, day: String) {
        guard let index = Self.months.firstIndex(of: month.lowercased()), let year = Int(year),
            let day = Int(day)
        else { return nil }
        self.init(year: year, month: index + 1, day: day)
    }
}
