extension String {
    /// This title without the prefix that NASA's posts and pages have before it, such as `APOD: 2024 December 7 - `.
    ///
    /// Only a prefix that names `day` is removed, in any form of ``DateInName``: another date is part of the title.
    /// Empty if the title is nothing but the prefix, even without a date.
    func withoutPostPrefix(of day: Day) -> String {
        guard let prefix = DateInName(startOf: utf8, isTitle: true), prefix.day == day else {
            return ["apod", "apod:"].contains(lowercased()) ? "" : self
        }
        // What follows the date has the same length in `prefix.rest`, where letters of ASCII are in lower case.
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
    /// The title of the web page of `day`, without its date; `nil` if it has none.
    func pageTitle(of day: Day) -> String? {
        let start = firstIndex { if case .opening("title", _) = $0 { true } else { false } }
        guard let start, case .text(let text) = dropFirst(start + 1).first else { return nil }
        let title = TextNormalizer.line(text).withoutPostPrefix(of: day)
        return title.isEmpty ? nil : title
    }
}
