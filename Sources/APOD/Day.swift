/// A day of the archive: a date of the Gregorian calendar, 1995-06-16 or later, without a time zone.
///
/// NASA dates its entries in the time zone of New York. The program requests the newest entry instead of computing its date.
package struct Day: Hashable, Sendable {
    /// Days since 1970-01-01.
    package let number: Int

    /// The first day of the archive, 1995-06-16.
    package static let first = Day(unchecked: number(year: 1995, month: 6, day: 16))

    /// The days without an entry, 1995-06-17 to 1995-06-19 and 2020-06-10.
    package static let neverPublished: Set<Day> = [
        first.advanced(by: 1), first.advanced(by: 2), first.advanced(by: 3),
        Day(unchecked: number(year: 2020, month: 6, day: 10)),
    ]

    /// The days of “Manhattanhenge”, the only entry that NASA is known to list wrongly.
    ///
    /// Since NASA's move in 2026, it is `listed` under a later day than its `own`; that day has another entry.
    static let misfiled = (
        own: Day(unchecked: number(year: 2007, month: 7, day: 13)),
        listed: Day(unchecked: number(year: 2007, month: 7, day: 16))
    )

    /// The last supported day: `YYMMDD` cannot represent a later one.
    package static let last = Day(unchecked: number(year: 2094, month: 12, day: 31))

    /// The names of the months as in NASA's URLs.
    package static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september",
        "october", "november", "december",
    ]

    private init(unchecked number: Int) {
        self.number = number
    }

    /// The day `number` days after 1970-01-01; `nil` before ``first`` and after ``last``.
    package init?(number: Int) {
        guard Self.first.number...Self.last.number ~= number else { return nil }
        self.number = number
    }

    /// `nil` for a date that does not exist or is outside of the archive.
    package init?(year: Int, month: Int, day: Int) {
        guard 1995...2094 ~= year, 1...12 ~= month, 1...31 ~= day else { return nil }
        self.init(number: Self.number(year: year, month: month, day: day))
        // The algorithm returns May 1 for April 31.
        guard self.month == month else { return nil }
    }

    package init?(iso text: some StringProtocol) { self.init(iso: Array(text.utf8)[...]) }

    /// Parses `2026-11-20`, ten bytes of ASCII.
    package init?(iso text: ArraySlice<UInt8>) {
        let start = text.startIndex
        guard text.count == 10, text[start + 4] == UInt8(ascii: "-"),
            text[start + 7] == UInt8(ascii: "-"),
            let year = Self.decimal(text[start..<start + 4]),
            let month = Self.decimal(text[start + 5..<start + 7]),
            let day = Self.decimal(text[(start + 8)...])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Parses `261120`, NASA's notation in URLs; `950616` is 1995-06-16.
    package init?(compact text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 6, let number = Self.decimal(bytes[...]) else { return nil }
        let year = number / 10_000
        self.init(
            year: year + (year >= 95 ? 1900 : 2000), month: number / 100 % 100, day: number % 100)
    }

    package var year: Int { civil.year }
    package var month: Int { civil.month }
    package var day: Int { civil.day }

    /// `261120`, NASA's notation in URLs.
    package var compact: String {
        let digits = description.utf8.dropFirst(2).filter { $0 != UInt8(ascii: "-") }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Noon UTC on that day, in seconds since 1970.
    package var noon: Int { number * 86_400 + 43_200 }

    // MARK: Calendar

    // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": days_from_civil and its inverse.
    // Years start in March, so that the leap day is the last one.
    private static func number(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = year.quotientAndRemainder(dividingBy: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }

    private var civil: (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = (number + 719_468).quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (
            era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month,
            dayOfYear - (153 * shifted + 2) / 5 + 1
        )
    }

    private static func decimal(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy(\.isDigit) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}

/// `Strideable` makes days comparable, and ranges of days collections.
extension Day: Strideable {
    package func distance(to other: Day) -> Int { other.number - number }

    /// The day `days` later, clamped to ``first`` and ``last``: a range near the ends of the archive is shorter.
    package func advanced(by days: Int) -> Day {
        let (sum, isTooMuch) = number.addingReportingOverflow(days)
        let number = isTooMuch ? (days < 0 ? .min : .max) : sum
        return Day(unchecked: min(max(number, Self.first.number), Self.last.number))
    }
}

extension Day: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let day = Day(iso: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not a day such as 2026-11-20")
        }
        self = day
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Day: CodingKeyRepresentable {
    package var codingKey: any CodingKey { description.codingKey }

    package init?<Key: CodingKey>(codingKey: Key) { self.init(iso: codingKey.stringValue) }
}

extension Day: CustomStringConvertible {
    /// `2026-11-20`.
    package var description: String {
        let (year, month, day) = civil
        // Interpolation would take many times as long, and a search computes this text for all days.
        var text = Array("0000-00-00".utf8)
        var digits = year * 10_000 + month * 100 + day
        for position in [9, 8, 6, 5, 3, 2, 1, 0] {
            text[position] += UInt8(digits % 10)
            digits /= 10
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// A month of the archive, which has its own directories in the tree.
package struct Month: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The first day of the archive in the month.
    package let first: Day

    package init(of day: Day) {
        first = day.advanced(by: 1 - day.day)
    }

    /// Parses `2026-11`.
    package init?(_ text: some StringProtocol) {
        guard let day = Day(iso: "\(text)-28") else { return nil }
        self.init(of: day)
    }

    /// The days of the archive in the month.
    package var days: ClosedRange<Day> {
        first...(next == self ? .last : next.first.advanced(by: -1))
    }

    /// The next month, or this one if it is the last month of the archive.
    var next: Month { Month(of: first.advanced(by: 31)) }
    /// The month before, or this one if it is the first month of the archive.
    var previous: Month { Month(of: first.advanced(by: -1)) }

    package static func < (month: Month, other: Month) -> Bool { month.first < other.first }

    /// `2026-11`.
    package var description: String {
        String(decoding: first.description.utf8.prefix(7), as: UTF8.self)
    }
}
