/// Removes from the title of a post of NASA what is no title: the name APOD, and the date of the day.
enum PostTitle {
    /// Returns the title of the entry of `day` without APOD's name and the date before it.
    ///
    /// ``DateInName`` says which forms the date may have. These are titles of 2026-10-02, and what becomes of them:
    /// - “2026 October 2 – The Moon” and “APOD: 2026 October 2 The Moon”: “The Moon”.
    /// - “APOD:” and “APOD 2026 October 2”: an empty text.
    /// - “2026 October 2 at Dawn” and “2026 October 3 – The Moon” stay as they are. A date is a part of the title if there is
    ///   neither a dash nor the name APOD, and if it is that of another day.
    static func withoutDate(_ title: String, of day: Day) -> String {
        guard let date = DateInName(startOf: title.utf8, of: .title), date.day == day else {
            return ["apod", "apod:"].contains(title.lowercased()) ? "" : title
        }
        let endOfDate = title.utf8.index(title.startIndex, offsetBy: date.length)
        let rest = TextNormalizer.trimmed(title[endOfDate...])
        if let first = rest.first, "-–—:|,".contains(first) {
            return TextNormalizer.trimmed(rest.dropFirst())
        }
        // In “APOD 2026 October 2nd”, more of the date follows.
        let isBeforeBlank = date.rest.first == UInt8(ascii: " ")
        let isNoTitle = title.lowercased().hasPrefix("apod") && isBeforeBlank
        return rest.isEmpty || isNoTitle ? rest : title
    }
}
