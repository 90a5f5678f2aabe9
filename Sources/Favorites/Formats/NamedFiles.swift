internal import APOD
internal import Mirror
internal import Platform
// For `_nfd`: FoundationEssentials has no normalization.
@_spi(_Unicode) import Swift

/// Finds the days of the files of a mirror whose names a small file in `favorites/` contains.
///
/// An alias of macOS, or a shortcut of Windows to a drive, has no path in one piece, in which ``PointerText`` would find the day.
enum NamedFiles {
    /// The most dates in one file that may be the beginning of the name of a picture.
    private static let maximumDates = 16

    /// The days in `bytes` beside which there is the name of a file of that day, as the records of `mirror` have it.
    static func days(in bytes: [UInt8], of mirror: Store) throws(SystemError) -> Set<Day> {
        var dates: Set<Day> = []
        for date in DateInText.all(in: PointerText.withoutZeros(bytes)) {
            guard dates.count < maximumDates else { break }
            dates.insert(date.day)
        }
        var days: Set<Day> = []
        for day in dates {
            let names = try mirror.record(of: day)?.fileNames ?? []
            if names.contains(where: { contains($0, in: bytes) }) { days.insert(day) }
        }
        return days
    }

    /// Whether `bytes` contain `name` in UTF-8 or in UTF-16 of either byte order, with composed or decomposed letters.
    private static func contains(_ name: String, in bytes: [UInt8]) -> Bool {
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
