package import APOD
internal import Mirror
internal import Platform

/// Finds the days that a small file in `favorites/` names, by addresses of APOD or by paths of a mirror.
///
/// Such a file may be a shortcut of a browser or a desktop, a link that another system wrote as a file, or a note. The bytes
/// are searched without parsing the format, because an untrusted file could mislead a parser. ``NamedFiles`` searches for names
/// of files.
package enum PointerText {
    /// In bytes; shortcuts and notes are shorter, and a longer file is not searched.
    static let maximumLength = 64 << 10
    private static let slash = UInt8(ascii: "/")
    /// What is before the date in the title of a page: `APOD 2026-11-20: X`.
    private static let titleStart = "APOD ".utf8

    /// Finds 2026-11-20 in `URL=https://apod.nasa.gov/apod/ap261120.html`.
    package static func days(in bytes: [UInt8]) -> Set<Day> {
        // Windows writes paths with backslashes.
        let text = withoutZeros(bytes).map { $0 == UInt8(ascii: "\\") ? slash : $0 }
        return daysOfPathsAndTitles(in: text).union(daysOfAddresses(in: text))
    }

    /// Finds 2026-11-20 in `//nas/apod/2026/2026-11/2026-11-20 X.jpg`, and in `APOD 2026-11-20: X`, the title of a page.
    private static func daysOfPathsAndTitles(in text: [UInt8]) -> Set<Day> {
        var days: Set<Day> = []
        for date in DateInText.all(in: text) {
            let before = text[..<date.position.lowerBound]
            let after = text[date.position.upperBound...]
            if after.first?.isDigit == true { continue }
            let isInTitle = before.suffix(titleStart.count).elementsEqual(titleStart)
            if isInTitle || endsWithFolders(of: date.day, before) { days.insert(date.day) }
        }
        return days
    }

    /// Whether `text` ends with the folders of a picture of `day`, as in `apod/2026/2026-11/`.
    private static func endsWithFolders(of day: Day, _ text: ArraySlice<UInt8>) -> Bool {
        let folders = "\(day.year)/\(Month(of: day))/".utf8
        return text.suffix(folders.count).elementsEqual(folders)
            && text.dropLast(folders.count).last?.isDigit != true
    }

    /// Finds 2026-11-20 in the words of `text` that are addresses, see ``AddressText``.
    private static func daysOfAddresses(in text: [UInt8]) -> Set<Day> {
        let words = text.split { $0 <= 0x20 || "\"'<>".utf8.contains($0) }
        // Any address has one of these.
        let addresses = words.filter { $0.contains(slash) || $0.contains(UInt8(ascii: "#")) }
        return Set(addresses.compactMap { dayOfAddress(String(decoding: $0, as: UTF8.self)) })
    }

    private static func dayOfAddress(_ text: String) -> Day? {
        switch AddressText.meaning(in: text) {
        case .page(let day): day
        case .path(let path): path.dayInFileName
        case .otherPage, nil: nil
        }
    }

    /// Without zeros, UTF-16 becomes ASCII where the text is ASCII, as dates and addresses are.
    static func withoutZeros(_ bytes: [UInt8]) -> [UInt8] { bytes.filter { $0 != 0 } }
}

/// A date such as `2026-11-20` in a text.
struct DateInText {
    let day: Day
    let position: Range<Int>

    /// All dates in `text`, in order.
    static func all(in text: [UInt8]) -> [DateInText] {
        let yearLength = "2026".utf8.count
        return text.indices.dropLast(yearLength).compactMap { start in
            guard text[start + yearLength] == UInt8(ascii: "-"),
                let day = Day(iso: text[start...].prefix(FileName.dayLength))
            else { return nil }
            return DateInText(day: day, position: start..<start + FileName.dayLength)
        }
    }
}
