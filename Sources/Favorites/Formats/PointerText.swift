package import APOD
internal import Mirror
internal import Platform
// For `_nfd`: FoundationEssentials has no normalization.
@_spi(_Unicode) import Swift

/// Finds the days that a small file in `favorites/` names, by addresses of APOD or by paths of a mirror.
///
/// Such a file may be a shortcut of a browser or a desktop, a link that another system wrote as a file, or a note. The bytes
/// are searched without parsing the format, because an untrusted file could mislead a parser.
package enum PointerText {
    /// In bytes; shortcuts and notes are shorter, and a larger file is not searched.
    static let largestFile = 64 << 10
    /// The most days whose names are looked for in one file.
    private static let maximumDaysOfNames = 16

    private static let slash = UInt8(ascii: "/")

    /// Finds 2026-11-20 in `URL=https://apod.nasa.gov/apod/ap261120.html`.
    package static func days(in bytes: [UInt8]) -> Set<Day> {
        // Windows writes paths with backslashes.
        let text = ascii(bytes).map { $0 == UInt8(ascii: "\\") ? slash : $0 }
        return daysOfPathsAndTitles(in: text).union(daysOfAddresses(in: text))
    }

    /// The first dates in `bytes`, each of which may be the beginning of the name of a picture.
    ///
    /// They are for an alias of macOS and for a shortcut of Windows to a drive, which have the parts of a path at different
    /// places. The caller reads the record of each day, and asks ``contains(name:in:)`` for the names in it.
    static func daysOfNames(in bytes: [UInt8]) -> Set<Day> {
        var days: Set<Day> = []
        for date in dates(in: ascii(bytes)) {
            days.insert(date.day)
            if days.count == maximumDaysOfNames { break }
        }
        return days
    }

    /// Finds 2026-11-20 in `//nas/apod/2026/2026-11/2026-11-20 X.jpg`, and in `APOD 2026-11-20: X`, the title of a page.
    private static func daysOfPathsAndTitles(in text: [UInt8]) -> Set<Day> {
        var days: Set<Day> = []
        for (day, position) in dates(in: text) {
            let isLonger = position.upperBound < text.count && text[position.upperBound].isDigit
            let before = text[..<position.lowerBound]
            let folders = "\(day.year)/\(Month(of: day))/".utf8
            let isInFolders =
                before.hasSuffix(folders)
                && before.dropLast(folders.count).last?.isDigit != true
            if !isLonger, isInFolders || before.hasSuffix("APOD ".utf8) { days.insert(day) }
        }
        return days
    }

    private static func daysOfAddresses(in text: [UInt8]) -> Set<Day> {
        let words = text.split { $0 <= 0x20 || "\"'<>".utf8.contains($0) }
            .filter { word in word.contains { $0 == slash || $0 == UInt8(ascii: "#") } }
        return Set(
            words.compactMap { word -> Day? in
                switch AddressText.meaning(in: String(decoding: word, as: UTF8.self)) {
                case .page(let day): day
                case .path(let path): path.fileDay
                case nil: nil
                }
            })
    }

    /// The bytes without zeros; this turns UTF-16 into ASCII where the text is ASCII, as dates and addresses are.
    private static func ascii(_ bytes: [UInt8]) -> [UInt8] { bytes.filter { $0 != 0 } }

    /// Each date such as `2026-11-20` in `text`, in order.
    private static func dates(in text: [UInt8]) -> [(day: Day, position: Range<Int>)] {
        text.indices.filter { text[$0] == UInt8(ascii: "-") }.compactMap { dash in
            let start = dash - "2026".utf8.count
            guard start >= 0, let day = Day(iso: text[start...].prefix(FileName.dayLength)) else {
                return nil
            }
            return (day, start..<start + FileName.dayLength)
        }
    }

    /// Whether `bytes` contain `name` in UTF-8 or in UTF-16 of either byte order, with composed or decomposed letters.
    static func contains(name: String, in bytes: [UInt8]) -> Bool {
        var decomposed = String.UnicodeScalarView()
        decomposed.append(contentsOf: name._nfd)
        return [name, String(decomposed)].contains { name in
            let units = Array(name.utf16)
            return bytes.contains(bytes: Array(name.utf8))
                || bytes.contains(bytes: units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
                || bytes.contains(bytes: units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate func hasSuffix(_ end: String.UTF8View) -> Bool {
        suffix(end.count).elementsEqual(end)
    }
}
