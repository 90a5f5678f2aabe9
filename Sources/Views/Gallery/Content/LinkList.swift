internal import APOD
internal import Mirror
internal import Platform

/// The file of a year in `gallery/links/`: a line such as `20777 15463,20662 M1,NGC1952 The Crab Nebula` for each day whose
/// text has links to others, or names objects by catalogue.
///
/// Days are ``Day/number``s, days since 1970; objects are ``CatalogueObject/term``s. A `-` is in the place of none.
struct LinkList {
    let bytes: [UInt8]

    /// The list in a file; empty if it is damaged.
    init(contents: [UInt8]) { bytes = contents }

    /// The list of a year with the `lines` of its days; see ``line(_:)``.
    init(lines: [UInt8]) { bytes = Array("// \(Asset.mark)\n".utf8) + lines }

    /// The line of a day; empty without links and objects.
    static func line(_ galleryDay: GalleryDay) -> [UInt8] {
        var words: [String] = []
        for link in ArchiveLink.all(in: galleryDay.record?.entry.explanationHTML ?? "") {
            let word = "\(link.day.number)"
            if !words.contains(word) { words.append(word) }
        }
        let objects = galleryDay.objects.sorted().map(\.term)
        guard !words.isEmpty || !objects.isEmpty else { return [] }
        let fields = [words, objects].map { $0.isEmpty ? none : $0.joined(separator: ",") }
        let title = galleryDay.title.excerpt(120)
        return Array(
            "\(galleryDay.day.number) \(fields.joined(separator: " ")) \(title)\n".utf8)
    }

    private static let none = "-"

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
        let (blank, comma) = (UInt8(ascii: " "), UInt8(ascii: ","))
        var rest = line
        guard let day = takeDay(from: &rest), rest.popFirst() == blank else { return nil }
        var targets: [Day] = []
        if rest.starts(with: none.utf8) {
            rest = rest.dropFirst(none.utf8.count)
        } else {
            var separator: UInt8
            repeat {
                guard let target = takeDay(from: &rest), let next = rest.first else { return nil }
                targets.append(target)
                separator = next
                if separator == comma { rest.removeFirst() }
            } while separator == comma
        }
        guard rest.popFirst() == blank, let end = rest.firstIndex(of: blank) else { return nil }
        return DayLinks.Source(
            day: day, title: rest[(end + 1)...], targets: targets, objects: rest[..<end])
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
