/// A date in the name of a file, in an address or in a title, as APOD, its mirrors and other tools write it.
///
/// `2026-11-20`, `2026 November 20`, `ap261120` and `ap20261120` are found anywhere. `20261120`, `2026_11_20` and
/// `apod261120` count only at the beginning of a name, because such numbers elsewhere are mostly no dates.
package struct DateInName {
    /// `nil` for a date that does not exist or is outside of the archive.
    package let day: Day?
    /// The bytes after the date, in lower case: a title, for example, or the rest of a longer number.
    package let rest: ArraySlice<UInt8>

    /// The first day in `text`, 2026-11-20 in `photos/ap261120.jpg`; dates that do not exist are skipped.
    package static func first(in text: some Collection<UInt8>) -> Day? {
        let text = text.map(\.lowercased)
        return text.indices.lazy.compactMap { start in
            let (previous, rest) = (start > 0 ? text[start - 1] : 0, text[start...])
            if !previous.isDigit, let date = DateInName(yearFirst: rest, separators: "-") {
                return date.day
            }
            guard !previous.isLowercaseLetter, rest.starts(with: "ap".utf8) else { return nil }
            return Day(digits: rest.dropFirst(2).prefix(while: \.isDigit))
        }.first
    }

    /// The date that `name` begins with, also after `ap`, `apod` or `APOD: `; `nil` if there is none.
    ///
    /// Only titles have dates such as `Dec. 7, 2024` and `7 December 2024`; in a name, they count only after `apod`.
    package init?(startOf name: some Collection<UInt8>, isTitle: Bool = false) {
        var text = name.map(\.lowercased)[...]
        // A letter after `ap` is the third one of April, for example.
        let prefix = ["apod", "ap"].first { prefix in
            let next = text.dropFirst(prefix.utf8.count).first
            return text.starts(with: prefix.utf8) && next?.isASCIILetter != true
        }
        if let prefix {
            text = text.dropFirst(prefix.utf8.count)
            let gaps = text.prefix(while: Self.gapsAfterPrefix.contains)
            if prefix == "apod" || gaps.count == 1 { text = text[gaps.endIndex...] }
        }
        let digits = text.prefix(while: \.isDigit)
        // Six digits without `ap` before them may be a date in another order, such as `201126`.
        if digits.count == 8 || (digits.count == 6 && prefix != nil) {
            self.init(day: Day(digits: digits), rest: text.dropFirst(digits.count))
        } else if let date = DateInName(yearFirst: text, separators: Self.separators) {
            self = date
        } else if isTitle || prefix == "apod" {
            self.init(inWords: text)
        } else {
            return nil
        }
    }

    private init(day: Day?, rest: ArraySlice<UInt8>) {
        self.day = day
        self.rest = rest
    }

    private static let separators = "-_. "
    /// The bytes of the characters that may be between `apod` and its date; dashes have several bytes.
    private static let gapsAfterPrefix = Array("\(separators):|–—".utf8)

    /// Reads `2026-11-20`, with the same one of `separators` twice, and `2026 November 20`, with any byte between words.
    private init?(yearFirst text: ArraySlice<UInt8>, separators: String) {
        var text = text
        guard let year = text.popNumber(4...4), let gap = text.popFirst(), !gap.isWord else {
            return nil
        }
        let month: Int
        if let named = text.popMonth() {
            month = named
        } else {
            guard separators.utf8.contains(gap), let number = text.popNumber(1...2),
                text.first == gap
            else { return nil }
            month = number
        }
        guard let secondGap = text.popFirst(), !secondGap.isWord, let day = text.popNumber(1...2)
        else { return nil }
        self.init(day: Day(year: year, month: month, day: day), rest: text)
    }

    /// Reads `november 20, 2026`, `20 november 2026` and `2026 nov. 20`.
    private init?(inWords text: ArraySlice<UInt8>) {
        var text = text
        var numbers: [Int] = []
        if let number = text.popNumber(1...4) {
            guard text.popGap() else { return nil }
            numbers.append(number)
        }
        guard let month = text.popMonth(mayBeShort: true) else { return nil }
        while numbers.count < 2 {
            guard text.popGap(), let number = text.popNumber(1...4) else { return nil }
            numbers.append(number)
        }
        guard let day = numbers.min(), let year = numbers.max(), day < 100, year >= 1000 else {
            return nil
        }
        self.init(day: Day(year: year, month: month, day: day), rest: text)
    }
}

extension Day {
    /// Parses `20261120`, and `261120` by ``Day/init(compact:)``; `nil` for any other number of digits.
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
    /// Removes the name of a month at the start, which `mayBeShort` as in `dec` and `sept`; returns its number.
    fileprivate mutating func popMonth(mayBeShort: Bool = false) -> Int? {
        let word = prefix(while: \.isLowercaseLetter)
        let index = Day.months.firstIndex { month in
            let lengths = [month.utf8.count] + (mayBeShort ? [3, 4] : [])
            return lengths.contains(word.count) && month.utf8.starts(with: word)
        }
        guard let index else { return nil }
        removeFirst(word.count)
        return index + 1
    }

    /// Removes blanks and punctuation at the start; returns whether they are one or two characters, as in `. `.
    fileprivate mutating func popGap() -> Bool {
        let gap = prefix { " ,.-_".utf8.contains($0) }
        removeFirst(gap.count)
        return 1...2 ~= gap.count
    }

    /// Removes and returns the number at the start; `nil` if it has another number of `digits`.
    fileprivate mutating func popNumber(_ digits: ClosedRange<Int>) -> Int? {
        let number = prefix(while: \.isDigit)
        guard digits.contains(number.count) else { return nil }
        removeFirst(number.count)
        return Int(String(decoding: number, as: UTF8.self))
    }
}

/// The kinds of bytes in a text in UTF-8 and lower case.
extension UInt8 {
    package var isDigit: Bool { 0x30...0x39 ~= self }
    /// Whether the byte is a letter in lower case, or a part of a character outside of ASCII.
    package var isLowercaseLetter: Bool { isASCIILetter || self >= 0x80 }
    package var isASCIILetter: Bool { 0x61...0x7A ~= self }
    package var isWord: Bool { isDigit || isLowercaseLetter }
    /// The byte in lower case if it is a capital letter of ASCII, else the byte itself.
    package var lowercased: UInt8 { 0x41...0x5A ~= self ? self | 0x20 : self }
}
