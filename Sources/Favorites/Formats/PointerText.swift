package import APOD
internal import Mirror
internal import Platform
// For `_nfd`: FoundationEssentials has no normalization.
@_spi(_Unicode) import Swift

/// The days that a small file names: by addresses of APOD, or by paths of a mirror, in whatever format.
///
/// A shortcut of a browser or a desktop, a link that another system wrote as a file, and a note are alike here. No
/// format is parsed, so that no offset, length or nesting of an untrusted file is followed.
package enum PointerText {
    /// In bytes; shortcuts and notes are shorter, and a larger file is not searched.
    static let largestFile = 64 << 10

    package static func days(in bytes: [UInt8]) -> Set<Day> {
        // Without its zeros, ASCII in UTF-16 is ASCII: only dates and addresses are searched, which are.
        let text = bytes.filter { $0 != 0 }.map { $0 == UInt8(ascii: "\\") ? slash : $0 }
        return daysOfPaths(in: text).union(daysOfAddresses(in: text)).union(daysOfTitles(in: text))
    }

    /// The days that `bytes` has at the beginning of names, such as that of a picture: at most ``mostNames``.
    ///
    /// An alias of macOS and a shortcut of Windows to a drive have the names of folders and file apart from each other.
    static func daysOfNames(in bytes: [UInt8]) -> Set<Day> {
        let text = bytes.filter { $0 != 0 }
        var days: Set<Day> = []
        for index in text.indices where text[index] == UInt8(ascii: "-") {
            let start = index - yearLength
            guard start >= 0, let day = Day(iso: text[start...].prefix(FileName.dayLength)) else {
                continue
            }
            days.insert(day)
            if days.count == mostNames { break }
        }
        return days
    }

    /// As many records are read for one file.
    private static let mostNames = 16

    /// Whether `bytes` has `name`, in UTF-8 or UTF-16, of whatever order and composition.
    static func names(_ name: String, in bytes: [UInt8]) -> Bool {
        var decomposed = String.UnicodeScalarView()
        decomposed.append(contentsOf: name._nfd)
        return [name, String(decomposed)].contains { name in
            let units = Array(name.utf16)
            return bytes.contains(bytes: Array(name.utf8))
                || bytes.contains(bytes: units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
                || bytes.contains(bytes: units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
        }
    }

    /// The days in titles such as `APOD 2026-11-20: The Crab Nebula`, as redirect pages have them.
    private static func daysOfTitles(in text: [UInt8]) -> Set<Day> {
        let mark = Array("APOD ".utf8)
        return Set(
            text.indices.lazy.filter { text[$0...].starts(with: mark) }.compactMap { index in
                let rest = text[(index + mark.count)...]
                let isNumberLonger = rest.dropFirst(FileName.dayLength).first?.isDigit == true
                return isNumberLonger ? nil : Day(iso: rest.prefix(FileName.dayLength))
            })
    }

    private static let slash = UInt8(ascii: "/")
    /// The beginning of `2026/2026-11/2026-11-20 The Crab Nebula.jpg`, by which a file of a mirror is known.
    private static let datedLength = "2026/2026-11/2026-11-20".utf8.count
    private static let yearLength = "2026".utf8.count

    private static func daysOfPaths(in text: [UInt8]) -> Set<Day> {
        var days: Set<Day> = []
        for index in text.indices where text[index] == slash {
            let start = index - yearLength
            guard start >= 0, start + datedLength <= text.count else { continue }
            let end = start + datedLength
            let isNumberLonger =
                (start > 0 && text[start - 1].isDigit) || (end < text.count && text[end].isDigit)
            guard !isNumberLonger, let day = PathText(text[start..<end]).mirroredDay else {
                continue
            }
            days.insert(day)
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
}
