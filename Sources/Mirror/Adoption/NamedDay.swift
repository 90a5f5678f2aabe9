package import APOD

/// The day that the path of a picture names, as other tools write it.
///
/// `2026-11-20.jpg`, `apod-20261120.jpg`, `APOD_2026-11-20 Title.png`, `ap261120.jpg`,
/// `20 November 2026.gif`, `2026/11/20.jpg`, `2026-11-20/picture.png`. A path that can be read in more than
/// one way is refused.
package enum NamedDay: Hashable, Sendable {
    case day(Day)
    case none
    /// The path names a date that is not used, and why.
    case refused(String)

    /// - Parameter path: Relative to the directory of the pictures; any bytes.
    package init(in path: [UInt8]) {
        let parts = path.split(separator: UInt8(ascii: "/"))
        guard let name = parts.last else {
            self = .none
            return
        }
        let stem = name.lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] } ?? name
        let words = DateWords(stem)
        // mutant: camera-name
        guard !words.isCameraName else {
            self = .refused(Self.photo)
            return
        }
        self = words.namedDay
        guard self == .none else { return }
        let folders = parts.dropLast().suffix(3).map { DateWords($0) }
        if let day = Self.day(in: folders, words) {
            self = .day(day)
        } else if let folder = folders.last, folder.isDateAlone,
            case .day(let day) = folder.namedDay
        {
            self = .day(day)
        } else if words.number(digits: 6...6) != nil {
            self = .refused(
                "six digits are a date in an unknown order; rename it to “ap261120.jpg”")
        }
    }

    private static let photo =
        "it is named like a photo of a camera; rename it to begin with the day if it is NASA’s"

    /// Whether it is the name of a person's photo, which a folder named by date does not make NASA's.
    package var isPhoto: Bool { self == .refused(Self.photo) }

    /// `2026/11/20.jpg`, `2026-11/20.jpg` and `2026/11/20/picture.jpg`.
    private static func day(in folders: [DateWords], _ name: DateWords) -> Day? {
        if let day = name.number(digits: 1...2), let last = folders.last {
            if let (year, month) = last.yearAndMonth {
                return Day(year: year, month: month, day: day)
            }
            if let month = last.number(digits: 1...2),
                let year = folders.dropLast().last?.number(digits: 4...4)
            {
                return Day(year: year, month: month, day: day)
            }
        }
        guard folders.count == 3, let year = folders[0].number(digits: 4...4),
            let month = folders[1].number(digits: 1...2),
            let day = folders[2].number(digits: 1...2)
        else { return nil }
        return Day(year: year, month: month, day: day)
    }
}

extension Day {
    /// The day of a file whose whole name is its date: `2026-11-20.jpg`, `20261120.jpg`, `ap261120.jpg`,
    /// `apod-20261120.jpg`, `apod_2026-11-20.jpg`.
    init?(alone path: [UInt8]) {
        let name = Layout.split(String(decoding: path, as: UTF8.self)).name.lowercased()
        var stem = name.splitAtLastDot?.stem ?? name[...]
        let prefix = ["apod-", "apod_", "apod", "ap"].first { stem.hasPrefix($0) }
        stem = stem.dropFirst(prefix?.utf8.count ?? 0)
        // Six digits alone may be a date in another order.
        let isNumber = stem.utf8.allSatisfy { 0x30...0x39 ~= $0 }
        let isDate =
            Day(iso: stem) != nil
            || isNumber && (stem.utf8.count == 8 || stem.utf8.count == 6 && prefix != nil)
        guard isDate, case .day(let day) = NamedDay(in: Array(name.utf8)) else { return nil }
        self = day
    }
}

/// The numbers and words of a name, and the date that they make.
private struct DateWords {
    private struct Token {
        /// In lower case.
        let text: String
        let isNumber: Bool
        /// What separates it from the token before it.
        let gap: String

        func number(_ digits: ClosedRange<Int>) -> Int? {
            isNumber && digits.contains(text.utf8.count) ? Int(text) : nil
        }

        /// 1 to 12 for the name of a month or its first three letters.
        var month: Int? {
            guard !isNumber, text.utf8.count >= 3 else { return nil }
            return Day.months.firstIndex { $0 == text || $0.prefix(3) == text }.map { $0 + 1 }
        }

        var isSeparated: Bool { ["-", "_", ".", " ", ", "].contains(gap) }
    }

    private var tokens: [Token] = []

    init(_ name: ArraySlice<UInt8>) {
        var (gap, run): ([UInt8], [UInt8]) = ([], [])
        var isNumber = false
        for byte in name + [0] {
            let lower = 0x41...0x5a ~= byte ? byte | 0x20 : byte
            let isDigit = 0x30...0x39 ~= lower
            let isWord = isDigit || 0x61...0x7a ~= lower || lower >= 0x80
            if !run.isEmpty, !isWord || isDigit != isNumber {
                tokens.append(
                    Token(
                        text: String(decoding: run, as: UTF8.self), isNumber: isNumber,
                        gap: String(decoding: gap, as: UTF8.self)))
                (gap, run) = ([], [])
            }
            if isWord { run.append(lower) } else { gap.append(lower) }
            isNumber = isDigit
        }
    }

    /// The beginnings of names that cameras and phones give to photos, before a number.
    private static let cameraWords: Set = [
        "cimg", "dcim", "dji", "dsc", "dscf", "dscn", "dscp", "gopr", "hpim", "imag", "img", "imgp",
        "kic",
        "mg", "mvimg", "pict", "pxl", "sam", "sdc", "wp",
    ]

    /// Whether it contains a name such as `IMG_1234`, `P1010101` or, at its beginning, `100_0042`.
    var isCameraName: Bool {
        let parts = tokens.map { (letters: $0.isNumber ? "" : $0.text, token: $0) }
        if tokens.count > 1, tokens[0].number(3...3) != nil, tokens[1].number(4...4) != nil,
            ["_", "-"].contains(tokens[1].gap)
        {
            return true
        }
        return zip(parts, parts.dropFirst()).contains { word, number in
            guard ["", "_", "-", " "].contains(number.token.gap) else { return false }
            if Self.cameraWords.contains(word.letters) { return number.token.number(3...18) != nil }
            // A letter and seven digits, as DCF cameras name photos.
            return word.letters.utf8.count == 1 && number.token.gap == ""
                && number.token.number(7...7) != nil
        }
    }

    /// The number that is the whole name.
    func number(digits: ClosedRange<Int>) -> Int? {
        tokens.count == 1 ? tokens[0].number(digits) : nil
    }

    /// Whether nothing but a date can be in the name: “2015-03-03 Holiday” is a folder of somebody's photos.
    var isDateAlone: Bool {
        let start = ["ap", "apod"].contains(tokens.first?.text) ? 1 : 0
        return start < tokens.count && date(at: start)?.tokens == tokens.count - start
    }

    /// `2026-11` as the whole name.
    var yearAndMonth: (year: Int, month: Int)? {
        guard tokens.count == 2, tokens[1].isSeparated, let year = tokens[0].number(4...4),
            let month = tokens[1].number(1...2)
        else { return nil }
        return (year, month)
    }

    var namedDay: NamedDay {
        var days: [Day] = []
        var index = 0
        while index < tokens.count {
            guard let date = date(at: index) else {
                index += 1
                continue
            }
            guard let day = date.day else { return .refused("its date is not a day of APOD") }
            if date.isAmbiguous { return .refused("its date can be read in two ways") }
            guard
                index == 0 || index == 1 && ["ap", "apod"].contains(tokens[0].text) || !days.isEmpty
            else {
                return .refused(
                    "its date is behind other letters, as in names of NASA's own; rename it to begin"
                        + " with the day")
            }
            guard !isContinued(date, at: index) else {
                return .refused("its date can be read in two ways")
            }
            index += date.tokens
            guard !isTime(at: index) else {
                return .refused("it is named like a photo or screenshot of that day")
            }
            // Titles contain dates, too.
            if days.isEmpty, index == 3, tokens.count > 3, tokens[0].gap == "", tokens[3].gap == " "
            {
                return .day(day)
            }
            if !days.contains(day) { days.append(day) }
        }
        guard days.count < 2 else { return .refused("it names more than one day") }
        return days.first.map { .day($0) } ?? .none
    }

    /// Whether another date begins inside of `found`: `2010-12-11-2012`.
    private func isContinued(_ found: FoundDate, at index: Int) -> Bool {
        guard found.tokens == 3, index + 3 < tokens.count,
            tokens[index + 3].gap == tokens[index + 2].gap
        else { return false }
        return (index + 1...index + 2).contains { start in
            date(at: start).map { $0.day != found.day || $0.isAmbiguous } ?? false
        }
    }

    private struct FoundDate {
        /// `nil` for a date that does not exist or is outside of the archive.
        let day: Day?
        let tokens: Int
        var isAmbiguous = false
    }

    private func date(at index: Int) -> FoundDate? {
        let token = tokens[index]
        if let number = token.number(8...8), 1900...2199 ~= number / 10_000 {
            let day = Day(year: number / 10_000, month: number / 100 % 100, day: number % 100)
            return FoundDate(day: day, tokens: 1)
        }
        if token.number(6...6) != nil, index > 0, ["ap", "apod"].contains(tokens[index - 1].text),
            token.gap == "" || token.isSeparated
        {
            return FoundDate(day: Day(compact: token.text), tokens: 1)
        }
        guard index + 2 < tokens.count else { return nil }
        let (second, third) = (tokens[index + 1], tokens[index + 2])
        guard second.isSeparated, third.isSeparated else { return nil }
        if let year = token.number(4...4), 1900...2199 ~= year, let day = third.number(1...2),
            let month = second.month ?? (second.gap == third.gap ? second.number(1...2) : nil)
        {
            return FoundDate(day: Day(year: year, month: month, day: day), tokens: 3)
        }
        guard let year = third.number(4...4), 1900...2199 ~= year else { return nil }
        if let month = second.month, let day = token.number(1...2) {
            return FoundDate(day: Day(year: year, month: month, day: day), tokens: 3)
        }
        if let month = token.month, let day = second.number(1...2) {
            return FoundDate(day: Day(year: year, month: month, day: day), tokens: 3)
        }
        guard let first = token.number(1...2), let other = second.number(1...2),
            second.gap == third.gap
        else { return nil }
        let days = [
            Day(year: year, month: other, day: first), Day(year: year, month: first, day: other),
        ].compactMap(\.self)
        return FoundDate(day: days.first, tokens: 3, isAmbiguous: days.count == 2 && first != other)
    }

    /// Whether a time of day begins at `index`.
    private func isTime(at index: Int) -> Bool {
        let rest = tokens[min(index, tokens.count)...].drop { ["at", "t"].contains($0.text) }
        if rest.first?.number(6...6) != nil { return true }
        let pair = rest.prefix(2).compactMap { $0.number(2...2) }
        return pair.count == 2 && pair[0] < 24 && pair[1] < 60
    }
}
