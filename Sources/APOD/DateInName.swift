/// A date at the beginning of a file name or of a title, as APOD, its mirrors and other programs write it.
///
/// Examples are `2026-11-20`, `2026 November 20`, `20261120`, `2026_11_20`, `ap261120` and `APOD: May 1, 2024`. To find a date
/// anywhere in a text, use ``Day/init(anywhereIn:)``.
package struct DateInName {
    package let day: Day
    /// The bytes after the date, in lower case: ` m 31.jpg` after `2026-11-20`, for example, or the rest of a longer number.
    package let rest: ArraySlice<UInt8>

    /// The number of bytes from the start of the name to the end of the date.
    var length: Int { rest.startIndex }

    /// What a text is, and so which dates may be at its beginning.
    package enum Source {
        /// The name of a file or of a page; a date in words counts only after `apod`.
        case name
        /// The title of a day, whose date may be in words, as in `Dec. 7, 2024` and `7 December 2024`.
        case title
    }

    /// Reads the date that `text` begins with, perhaps after `ap`, `apod` or `APOD: `.
    ///
    /// This fails if there is no date, or if the archive has no such day, as with `2026-02-30`.
    package init?(startOf text: some Collection<UInt8>, of source: Source = .name) {
        var text = text.map(\.lowercased)[...]
        let prefix = Prefix.remove(from: &text)
        let digits = text.prefix(while: \.isDigit)
        // Six digits without `ap` before them may be a date in another order: 201126 may be 20 November 2026.
        if digits.count == 8 || (digits.count == 6 && prefix != nil) {
            guard let day = Day(digits: digits) else { return nil }
            self.init(day: day, rest: text.dropFirst(digits.count))
        } else if let date = DateInName(yearFirst: text, separators: Self.separators) {
            self = date
        } else if source == .title || prefix == .apod {
            self.init(inWords: text)
        } else {
            return nil
        }
    }

    init(day: Day, rest: ArraySlice<UInt8>) {
        self.day = day
        self.rest = rest
    }

    /// The characters between the numbers of a date.
    private static let separators = "-_. "
    /// The bytes of the characters between `apod` and the date; each dash has several bytes.
    private static let bytesAfterPrefix = Array("\(separators):|–—".utf8)

    /// The name of APOD before a date.
    private enum Prefix: String, CaseIterable {
        case apod
        case ap

        /// Removes the prefix, and a gap after it, from the start of `text`.
        ///
        /// - Returns: The prefix; `nil` if there is none, as in “april” and “apodized”.
        static func remove(from text: inout ArraySlice<UInt8>) -> Prefix? {
            let prefix = allCases.first { prefix in
                let next = text.dropFirst(prefix.rawValue.utf8.count).first
                return text.starts(with: prefix.rawValue.utf8)
                    && next?.isLowercaseASCIILetter != true
            }
            guard let prefix else { return nil }
            text = text.dropFirst(prefix.rawValue.utf8.count)
            let gap = text.prefix(while: DateInName.bytesAfterPrefix.contains)
            // APOD's own names with `ap` have no gap. Other tools may add one character, as in `ap_261120`.
            if prefix == .apod || gap.count == 1 { text = text[gap.endIndex...] }
            return prefix
        }
    }
}
