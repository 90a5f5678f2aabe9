internal import Platform

extension String {
    /// This title of a post of NASA without the date of `day` before it: "The Moon" of "APOD: 2024 December 7 - The Moon".
    ///
    /// ``DateInName`` says which forms the date may have. The date of another day is a part of the title. A title that
    /// consists only of "APOD", of the date, or of both becomes empty.
    func withoutPostPrefix(of day: Day) -> String {
        let lowercase = lowercased()
        guard let date = DateInName(startOf: utf8, isTitle: true), date.day == day else {
            return ["apod", "apod:"].contains(lowercase) ? "" : self
        }
        let title = TextNormalizer.trimmed(self[utf8.index(startIndex, offsetBy: date.length)...])
        guard let first = title.first else { return "" }
        if "-–—:|,".contains(first) { return TextNormalizer.trimmed(title.dropFirst()) }
        // Without such a sign after it, the date belongs to the title, as in "2026 October 2 at Dawn", unless APOD is named.
        let isNamedAsAPOD = lowercase.hasPrefix("apod") && date.rest.first == UInt8(ascii: " ")
        return isNamedAsAPOD ? title : self
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
