internal import APOD

/// Finds a date in a name, an address or a line, in a format of APOD or its mirrors: `2026-11-20`,
/// `ap261120`, `apod-2026-november-20`, `2026 November 20`.
struct DateInText {
    private let text: [UInt8]

    /// The first day in `text`, `nil` if there is none.
    static func day(in text: some Collection<UInt8>) -> Day? {
        let dates = DateInText(text: text.map(\.lowercased))
        return dates.text.indices.lazy.compactMap { dates.day(at: $0) }.first
    }

    /// The date at the start of `name`, as in the names of the tree.
    static func leadingDay(of name: ArraySlice<UInt8>) -> Day? {
        guard name.dropFirst(10).first.map({ !isDigit($0) }) ?? true else { return nil }
        return Day(iso: name.prefix(10))
    }

    private func day(at index: Int) -> Day? {
        let previous = index > 0 ? text[index - 1] : 0x20
        if !Self.isDigit(previous), let year = number(at: index, digits: 4) {
            return iso(year, index) ?? spelled(year, index)
        }
        return Self.isLetter(previous) ? nil : compact(index)
    }

    /// `2026-11-20`.
    private func iso(_ year: Int, _ index: Int) -> Day? {
        guard byte(index + 4) == UInt8(ascii: "-"), byte(index + 7) == UInt8(ascii: "-"),
            let month = number(at: index + 5, digits: 2),
            let day = number(at: index + 8, digits: 2), !Self.isDigit(byte(index + 10))
        else { return nil }
        return Day(year: year, month: month, day: day)
    }

    /// `2026 November 20`, and with anything but letters and digits in between.
    private func spelled(_ year: Int, _ index: Int) -> Day? {
        let start = index + 5
        guard isGap(index + 4),
            let month = Day.months.firstIndex(where: {
                text[min(start, text.count)...].starts(with: $0.utf8)
            })
        else { return nil }
        let end = start + Day.months[month].utf8.count
        guard isGap(end) else { return nil }
        let digits = text[min(end + 1, text.count)...].prefix(3).prefix(while: Self.isDigit)
        guard let day = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
        return Day(year: year, month: month + 1, day: day)
    }

    /// `ap261120`.
    private func compact(_ index: Int) -> Day? {
        guard byte(index) == UInt8(ascii: "a"), byte(index + 1) == UInt8(ascii: "p"),
            number(at: index + 2, digits: 6) != nil, !Self.isDigit(byte(index + 8))
        else { return nil }
        return Day(compact: String(decoding: text[(index + 2)..<(index + 8)], as: UTF8.self))
    }

    private func byte(_ index: Int) -> UInt8 { text.indices.contains(index) ? text[index] : 0 }

    private func isGap(_ index: Int) -> Bool {
        text.indices.contains(index) && !Self.isDigit(text[index]) && !Self.isLetter(text[index])
    }

    private func number(at index: Int, digits: Int) -> Int? {
        guard index + digits <= text.count else { return nil }
        let slice = text[index..<(index + digits)]
        return slice.allSatisfy(Self.isDigit) ? Int(String(decoding: slice, as: UTF8.self)) : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
    private static func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte }
}

extension UInt8 {
    /// The letter in lower case, if it is one of ASCII.
    var lowercased: UInt8 { 0x41...0x5A ~= self ? self | 0x20 : self }
}
