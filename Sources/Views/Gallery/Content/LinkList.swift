internal import APOD
internal import Mirror
internal import Platform

/// The file of a year in `gallery/links/`: a line such as `20777 15463,20662 The Crab Nebula` for each day whose text has
/// links to others.
///
/// Days are ``Day/number``s, days since 1970.
struct LinkList {
    let bytes: [UInt8]

    /// The list in a file; empty if it is damaged.
    init(contents: [UInt8]) { bytes = contents }

    /// The list of a year with the `lines` of its days; see ``line(_:)``.
    init(lines: [UInt8]) { bytes = Array("// \(Asset.mark)\n".utf8) + lines }

    /// The line with the links in the text of a day; empty without links.
    static func line(_ galleryDay: GalleryDay) -> [UInt8] {
        var words: [String] = []
        for link in ArchiveLink.all(in: galleryDay.record?.entry.explanationHTML ?? "") {
            let word = "\(link.day.number)"
            if !words.contains(word) { words.append(word) }
        }
        guard !words.isEmpty else { return [] }
        let title = galleryDay.title.excerpt(120)
        return Array("\(galleryDay.day.number) \(words.joined(separator: ",")) \(title)\n".utf8)
    }

    /// The days of the lines; other lines are skipped.
    var sources: [DayLinks.Source] {
        var sources: [DayLinks.Source] = []
        var start = bytes.startIndex
        for end in bytes.indices where bytes[end] == UInt8(ascii: "\n") {
            if let source = Self.source(bytes[start..<end]) { sources.append(source) }
            start = end + 1
        }
        return sources
    }

    private static func source(_ line: ArraySlice<UInt8>) -> DayLinks.Source? {
        var rest = line
        guard let day = takeDay(from: &rest) else { return nil }
        var targets: [Day] = []
        var separator = UInt8(ascii: " ")
        repeat {
            guard rest.popFirst() == separator, let target = takeDay(from: &rest) else {
                return nil
            }
            targets.append(target)
            separator = UInt8(ascii: ",")
        } while rest.first == separator
        guard rest.popFirst() == UInt8(ascii: " ") else { return nil }
        return DayLinks.Source(day: day, title: rest, targets: targets)
    }

    /// Removes the number of a day, which has four or five digits, from the beginning of `line`.
    private static func takeDay(from line: inout ArraySlice<UInt8>) -> Day? {
        var number = 0
        var rest = line.prefix(5)
        while let digit = rest.first, digit.isDigit {
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
            rest.removeFirst()
        }
        line = line[rest.startIndex...]
        return Day(number: number)
    }
}
