internal import APOD
internal import Mirror
internal import Platform

/// The file of a year in `gallery/links/`: a line such as `20777 15463,20662 The Crab Nebula` for each day whose text has
/// links to others.
///
/// Days are ``Day/number``s, days since 1970.
struct LinkList {
    private(set) var bytes: [UInt8]

    /// The list in a file; empty if it is damaged.
    init(contents: [UInt8]) { bytes = contents }

    /// The list of a year, made of lines that ``add(_:)`` appended to empty lists.
    init(_ parts: [LinkList]) {
        bytes = Array("// \(Asset.mark)\n".utf8) + parts.flatMap(\.bytes)
    }

    /// Appends the links in the text of the next day.
    mutating func add(_ galleryDay: GalleryDay) {
        var words: [String] = []
        for link in ArchiveLink.all(in: galleryDay.record?.entry.explanationHTML ?? "") {
            let word = "\(link.day.number)"
            if !words.contains(word) { words.append(word) }
        }
        guard !words.isEmpty else { return }
        let title = galleryDay.title.excerpt(120)
        bytes += "\(galleryDay.day.number) \(words.joined(separator: ",")) \(title)\n".utf8
    }

    /// The days of the lines; other lines are skipped.
    var sources: [DayLinks.Source] {
        var sources: [DayLinks.Source] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            if let source = Self.source(rest[..<end]) { sources.append(source) }
            rest = rest[(end + 1)...]
        }
        return sources
    }

    private static func source(_ line: ArraySlice<UInt8>) -> DayLinks.Source? {
        let space = UInt8(ascii: " ")
        guard let end = line.firstIndex(of: space), let day = day(line[..<end]),
            let start = line[(end + 1)...].firstIndex(of: space)
        else { return nil }
        return DayLinks.Source(
            day: day, title: String(decoding: line[(start + 1)...], as: UTF8.self),
            targets: line[end + 1..<start].split(separator: UInt8(ascii: ",")).compactMap(Self.day))
    }

    /// The numbers of days have four or five digits.
    private static func day(_ digits: ArraySlice<UInt8>) -> Day? {
        guard digits.count == 4 || digits.count == 5, digits.allSatisfy(\.isDigit) else {
            return nil
        }
        return Day(number: digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
    }
}
