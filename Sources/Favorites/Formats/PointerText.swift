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
    /// In bytes; shortcuts and notes are shorter, and a longer file is not searched.
    static let maximumLength = 64 << 10
    /// The most dates in one file that may be the beginning of the name of a picture.
    private static let maximumCandidates = 16
    private static let slash = UInt8(ascii: "/")

    /// Finds 2026-11-20 in `URL=https://apod.nasa.gov/apod/ap261120.html`.
    package static func days(in bytes: [UInt8]) -> Set<Day> {
        // Windows writes paths with backslashes.
        let text = withoutZeros(bytes).map { $0 == UInt8(ascii: "\\") ? slash : $0 }
        return daysOfPathsAndTitles(in: text).union(daysOfAddresses(in: text))
    }

    /// Finds 2026-11-20 in `//nas/apod/2026/2026-11/2026-11-20 X.jpg`, and in `APOD 2026-11-20: X`, the title of a page.
    private static func daysOfPathsAndTitles(in text: [UInt8]) -> Set<Day> {
        var days: Set<Day> = []
        for (day, position) in dates(in: text) {
            if text[position.upperBound...].first?.isDigit == true { continue }
            let before = text[..<position.lowerBound]
            let isInTitle = before.suffix(5).elementsEqual("APOD ".utf8)
            if isInTitle || endsWithFolders(of: day, before) { days.insert(day) }
        }
        return days
    }

    /// Whether `text` ends with the folders of a picture of `day`, as in `apod/2026/2026-11/`.
    private static func endsWithFolders(of day: Day, _ text: ArraySlice<UInt8>) -> Bool {
        let folders = "\(day.year)/\(Month(of: day))/".utf8
        return text.suffix(folders.count).elementsEqual(folders)
            && text.dropLast(folders.count).last?.isDigit != true
    }

    private static func daysOfAddresses(in text: [UInt8]) -> Set<Day> {
        let words = text.split { $0 <= 0x20 || "\"'<>".utf8.contains($0) }
            .filter { word in word.contains { $0 == slash || $0 == UInt8(ascii: "#") } }
        return Set(
            words.compactMap { word -> Day? in
                switch AddressText.meaning(in: String(decoding: word, as: UTF8.self)) {
                case .page(let day): day
                case .path(let path): path.dayInFileName
                case nil: nil
                }
            })
    }

    /// Without zeros, UTF-16 becomes ASCII where the text is ASCII, as dates and addresses are.
    static func withoutZeros(_ bytes: [UInt8]) -> [UInt8] { bytes.filter { $0 != 0 } }

    /// Each date such as `2026-11-20` in `text`, in order.
    static func dates(in text: [UInt8]) -> [(day: Day, position: Range<Int>)] {
        text.indices.filter { text[$0] == UInt8(ascii: "-") }.compactMap { dash in
            // A year has four digits.
            let start = dash - 4
            guard start >= 0, let day = Day(iso: text[start...].prefix(FileName.dayLength)) else {
                return nil
            }
            return (day, start..<start + FileName.dayLength)
        }
    }

    // MARK: Names of files

    /// The days in `bytes` beside which there is the name of a file of that day, as the records of `mirror` have it.
    ///
    /// An alias of macOS, or a shortcut of Windows to a drive, has no path in one piece.
    static func daysOfNamedFiles(
        in bytes: [UInt8], of mirror: Store
    ) throws(SystemError) -> Set<Day> {
        var candidates: Set<Day> = []
        for date in dates(in: withoutZeros(bytes)) where candidates.count < maximumCandidates {
            candidates.insert(date.day)
        }
        var days: Set<Day> = []
        for day in candidates {
            guard let record = try mirror.record(of: day) else { continue }
            if record.fileNames.contains(where: { contains(name: $0, in: bytes) }) {
                days.insert(day)
            }
        }
        return days
    }

    /// Whether `bytes` contain `name` in UTF-8 or in UTF-16 of either byte order, with composed or decomposed letters.
    private static func contains(name: String, in bytes: [UInt8]) -> Bool {
        var decomposed = String.UnicodeScalarView()
        decomposed.append(contentsOf: name._nfd)
        return [name, String(decomposed)].flatMap(encodings).contains { bytes.contains(bytes: $0) }
    }

    /// `text` in UTF-8 and in both forms of UTF-16.
    private static func encodings(of text: String) -> [[UInt8]] {
        [
            Array(text.utf8),
            text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
            text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
        ]
    }
}
