/// The notations of a date at the start of a text in lower case; each initializer fails for other notations.
extension DateInName {
    /// Reads `2026-11-20`, which has the same separator twice, and `2026 November 20`, where it may be any character.
    init?(yearFirst text: ArraySlice<UInt8>, separators: String) {
        var text = text
        guard let year = text.popNumber(ofDigits: 4...4), let separator = text.popSeparator() else {
            return nil
        }
        let month: Int
        if let namedMonth = text.popMonth() {
            month = namedMonth
        } else {
            guard separators.utf8.contains(separator),
                let number = text.popNumber(ofDigits: 1...2), text.first == separator
            else { return nil }
            month = number
        }
        guard text.popSeparator() != nil, let dayOfMonth = text.popNumber(ofDigits: 1...2),
            let day = Day(year: year, month: month, day: dayOfMonth)
        else { return nil }
        self.init(day: day, rest: text)
    }

    /// Reads `november 20, 2026`, `20 november 2026` and `2026 nov. 20`.
    init?(inWords text: ArraySlice<UInt8>) {
        var text = text
        /// The day of the month and the year, in any order; one of them may come before the month.
        var numbers: [Int] = []
        if let number = text.popNumber(ofDigits: 1...4) {
            guard text.popGap() else { return nil }
            numbers.append(number)
        }
        guard let month = text.popMonth(allowingAbbreviations: true) else { return nil }
        while numbers.count < 2 {
            guard text.popGap(), let number = text.popNumber(ofDigits: 1...4) else { return nil }
            numbers.append(number)
        }
        // Only the year has four digits, so that it is the greater number.
        guard let dayOfMonth = numbers.min(), let year = numbers.max(), year >= 1000,
            let day = Day(year: year, month: month, day: dayOfMonth)
        else { return nil }
        self.init(day: day, rest: text)
    }
}

extension Day {
    /// Parses `20261120`, and `261120` with ``Day/init(compact:)``; `nil` for any other number of digits.
    init?(digits: ArraySlice<UInt8>) {
        let text = String(decoding: digits, as: UTF8.self)
        guard digits.count == 8, let number = Int(text) else {
            self.init(compact: text)
            return
        }
        self.init(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }

    /// Finds the first day that `text` has as `2026-11-20`, `2026 November 20`, `ap261120` or `ap20261120`.
    ///
    /// These are fewer notations than ``DateInName`` knows, because in the middle of a text, a number such as `20261120` is
    /// mostly no date.
    package init?(anywhereIn text: some Collection<UInt8>) {
        let bytes = text.map(\.lowercased)
        for start in bytes.indices {
            let previous = bytes[..<start].last
            let rest = bytes[start...]
            if previous?.isDigit != true, let date = DateInName(yearFirst: rest, separators: "-") {
                self = date.day
                return
            }
            // In “map261120”, the letters before the digits are not those of APOD.
            guard previous?.isLetterOrNonASCII != true, rest.starts(with: "ap".utf8) else {
                continue
            }
            if let day = Day(digits: rest.dropFirst(2).prefix(while: \.isDigit)) {
                self = day
                return
            }
        }
        return nil
    }
}

// MARK: The parts of a date

extension ArraySlice<UInt8> {
    /// Removes the name of a month at the start, and returns the number of the month: 12 for `december`.
    ///
    /// If `allowingAbbreviations`, the first three or four letters are a name, too, such as `dec` or `sept`.
    fileprivate mutating func popMonth(allowingAbbreviations: Bool = false) -> Int? {
        let word = prefix(while: \.isLetterOrNonASCII)
        let index = Day.months.firstIndex { month in
            let isAbbreviation = allowingAbbreviations && 3...4 ~= word.count
            let hasRightLength = isAbbreviation || word.count == month.utf8.count
            return hasRightLength && month.utf8.starts(with: word)
        }
        guard let index else { return nil }
        removeFirst(word.count)
        return index + 1
    }

    /// Removes and returns the number at the start; `nil` if it has another number of digits, or if there is none.
    mutating func popNumber(ofDigits counts: ClosedRange<Int>) -> Int? {
        let digits = prefix(while: \.isDigit)
        guard counts.contains(digits.count) else { return nil }
        removeFirst(digits.count)
        return Int(String(decoding: digits, as: UTF8.self))
    }

    /// Removes and returns the byte at the start; `nil` if there is none, or if it may be a part of a word.
    fileprivate mutating func popSeparator() -> UInt8? {
        guard let separator = first, !separator.isPartOfWord else { return nil }
        removeFirst()
        return separator
    }

    /// Removes one or two blanks and punctuation marks at the start, as in `. `; returns `false` if there are none or more.
    fileprivate mutating func popGap() -> Bool {
        let gap = prefix { " ,.-_".utf8.contains($0) }
        guard 1...2 ~= gap.count else { return false }
        removeFirst(gap.count)
        return true
    }
}
