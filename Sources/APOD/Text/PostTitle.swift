extension String {
    /// This title without the prefix that NASA's posts and pages have before it, such as `APOD: 2024 December 7 - `.
    ///
    /// Only a prefix that names `day` is removed, in any form of ``DateInName``: another date is part of the title.
    /// Empty if the title is nothing but the prefix, even without a date.
    func withoutPostPrefix(of day: Day) -> String {
        guard let date = DateInName(startOf: utf8, isTitle: true), date.day == day else {
            return ["apod", "apod:"].contains(lowercased()) ? "" : self
        }
        // Only letters of ASCII are in lower case there, so the rest is as long as in the title.
        let rest = TextNormalizer.trimmed(self[utf8.index(endIndex, offsetBy: -date.rest.count)...])
        guard let first = rest.first else { return "" }
        if "-–—:|,".contains(first) { return TextNormalizer.trimmed(rest.dropFirst()) }
        let isSeparated = date.rest.first == UInt8(ascii: " ")
        return isSeparated && lowercased().hasPrefix("apod") ? rest : self
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
