/// A date at the beginning of a file name or of a title, as APOD, its mirrors and other tools write it.
///
/// Examples are `2026-11-20`, `2026 November 20`, `20261120`, `2026_11_20`, `ap261120` and `APOD: May 1, 2024`.
/// ``first(in:)`` finds a date anywhere in a text, but in fewer notations, because a number such as `20261120` in the
/// middle of a text is mostly no date.
package struct DateInName {
    package let day: Day
    /// The bytes after the date, in lower case: ` m 31.jpg` after `2026-11-20`, for example, or the rest of a longer number.
    package let rest: ArraySlice<UInt8>

    /// The number of bytes from the start of the name to the end of the date.
    var length: Int { rest.startIndex }

    /// Reads the date that `name` begins with, perhaps after `ap`, `apod` or `APOD: `.
    ///
    /// `Dec. 7, 2024` and `7 December 2024` are read in a title, and in a name only after `apod`.
    ///
    /// This fails if there is no date, or if the archive has no such day, as with `2026-02-30`.
    package init?(startOf name: some Collection<UInt8>, isTitle: Bool = false) {
        var text = name.map(\.lowercased)[...]
        let prefix = Prefix(removedFrom: &text)
        let digits = text.prefix(while: \.isDigit)
        // Six digits without `ap` before them may be a date in another order: 201126 may be 20 November 2026.
        if digits.count == 8 || (digits.count == 6 && prefix != nil) {
            guard let day = Day(digits: digits) else { return nil }
            self.init(day: day, rest: text.dropFirst(digits.count))
        } else if let date = DateInName(yearFirst: text, separators: Self.separators) {
            self = date
        } else if isTitle || prefix == .apod {
            self.init(inWords: text)
        } else {
            return nil
        }
    }

    /// The name of APOD before a date, with a gap after it.
    private enum Prefix: String, CaseIterable {
        case apod
        case ap

        /// Removes the prefix and its gap from the start of `text`; `nil` if there is none, as in “april” and “apodized”.
        init?(removedFrom text: inout ArraySlice<UInt8>) {
            let found = Self.allCases.first { prefix in
                let next = text.dropFirst(prefix.rawValue.utf8.count).first
                return text.starts(with: prefix.rawValue.utf8)
                    && next?.isLowercaseASCIILetter != true
            }
            guard let found else { return nil }
            self = found
            text = text.dropFirst(found.rawValue.utf8.count)
            let gap = text.prefix(while: DateInName.bytesAfterPrefix.contains)
            // APOD's own names with `ap` have no gap. Other tools may add one character, as in `ap_261120`.
            if found == .apod || gap.count == 1 { text = text[gap.endIndex...] }
        }
    }

    private init(day: Day, rest: ArraySlice<UInt8>) {
        self.day = day
        self.rest = rest
    }

    /// The characters between the numbers of a date.
    private static let separators = "-_. "
    /// The bytes of the characters between `apod` and the date; each dash has several bytes.
    private static let bytesAfterPrefix = Array("\(separators):|–—".utf8)

    /// Reads `2026-11-20`, which has the same separator twice, and `2026 November 20`, where it may be any character.
    private init?(yearFirst text: ArraySlice<UInt8>, separators: String) {
        var text = text
        guard let year = text.popNumber(4...4), let gap = text.popFirst(), !gap.isPartOfWord else {
            return nil
        }
        let month: Int
        if let monthByName = text.popMonth() {
            month = monthByName
        } else {
            guard separators.utf8.contains(gap), let number = text.popNumber(1...2),
                text.first == gap
            else { return nil }
            month = number
        }
        guard let secondGap = text.popFirst(), !secondGap.isPartOfWord,
            let dayOfMonth = text.popNumber(1...2),
            let day = Day(year: year, month: month, day: dayOfMonth)
        else { return nil }
        self.init(day: day, rest: text)
    }

    /// Reads `november 20, 2026`, `20 november 2026` and `2026 nov. 20`.
    private init?(inWords text: ArraySlice<UInt8>) {
        var text = text
        /// The year and the day of the month, in any order; before and after the month, or both after it.
        var numbers: [Int] = []
        if let number = text.popNumber(1...4) {
            guard text.popGap() else { return nil }
            numbers.append(number)
        }
        guard let month = text.popMonth(allowingAbbreviations: true) else { return nil }
        while numbers.count < 2 {
            guard text.popGap(), let number = text.popNumber(1...4) else { return nil }
            numbers.append(number)
        }
        // The year is the greater number, and has four digits.
        guard let dayOfMonth = numbers.min(), let year = numbers.max(), year >= 1000,
            let day = Day(year: year, month: month, day: dayOfMonth)
        else { return nil }
        self.init(day: day, rest: text)
    }
}

// MARK: Anywhere in a text

extension DateInName {
    /// The first day of the archive that `text` has as `2026-11-20`, `2026 November 20`, `ap261120` or `ap20261120`.
    package static func first(in text: some Collection<UInt8>) -> Day? {
        let bytes = text.map(\.lowercased)
        for start in bytes.indices {
            let previous = bytes[..<start].last
            let rest = bytes[start...]
            if previous?.isDigit != true, let date = DateInName(yearFirst: rest, separators: "-") {
                return date.day
            }
            // In “map261120”, the letters before the digits are not those of APOD.
            guard previous?.isLetterOrNonASCII != true, rest.starts(with: "ap".utf8) else {
                continue
            }
            if let day = Day(digits: rest.dropFirst(2).prefix(while: \.isDigit)) { return day }
        }
        return nil
    }
}

extension Day {
    /// Parses `20261120`, and `261120` with ``Day/init(compact:)``; `nil` for any other number of digits.
    fileprivate init?(digits: ArraySlice<UInt8>) {
        let text = String(decoding: digits, as: UTF8.self)
        guard digits.count == 8, let number = Int(text) else {
            self.init(compact: text)
            return
        }
        self.init(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }
}

extension ArraySlice<UInt8> {
    /// Removes the name of a month at the start, and returns the number of the month: 12 for `december`.
    ///
    /// If `allowingAbbreviations`, the first three or four letters are a name, too, such as `dec` or `sept`.
    fileprivate mutating func popMonth(allowingAbbreviations: Bool = false) -> Int? {
        let word = prefix(while: \.isLetterOrNonASCII)
        let index = Day.months.firstIndex { month in
            let lengths = [month.utf8.count] + (allowingAbbreviations ? [3, 4] : [])
            return lengths.contains(word.count) && month.utf8.starts(with: word)
        }
        guard let index else { return nil }
        removeFirst(word.count)
        return index + 1
    }

    /// Removes one or two blanks and punctuation marks at the start, as in `. `; returns `false` if there are none or more.
    fileprivate mutating func popGap() -> Bool {
        let gap = prefix { " ,.-_".utf8.contains($0) }
        guard (1...2).contains(gap.count) else { return false }
        removeFirst(gap.count)
        return true
    }

    /// Removes and returns the number at the start; `nil` unless it has so many digits.
    fileprivate mutating func popNumber(_ digitCounts: ClosedRange<Int>) -> Int? {
        let digits = prefix(while: \.isDigit)
        guard digitCounts.contains(digits.count) else { return nil }
        removeFirst(digits.count)
        return Int(String(decoding: digits, as: UTF8.self))
    }
}
