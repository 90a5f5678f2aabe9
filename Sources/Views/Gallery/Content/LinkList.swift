internal import APOD
internal import Mirror
internal import Platform

/// The file of a year in `gallery/links/`: it has a line for each day whose text links to other days, or names objects of the
/// sky.
///
/// ``DayLinks`` reads these files instead of the records. A line such as `20777 15463,20662 M1,NGC1952 The Crab Nebula` has four
/// fields: the ``APOD/Day/number`` of the day, the numbers of the days to which it links, the
/// ``CatalogueObject/searchTerm``s of the objects, and the title. A `-` means that there are no links or no objects.
struct LinkList {
    /// What one line says.
    struct Source: Sendable {
        /// The day whose text has the links.
        let day: Day
        /// The title in UTF-8, as a slice of the list: most titles are never shown and need no `String`.
        let title: ArraySlice<UInt8>
        /// The days to which the text links.
        let targets: [Day]
        /// The search terms of the objects that the text names, such as `M1,NGC1952`, as a slice of the list.
        let objects: ArraySlice<UInt8>
    }

    let bytes: [UInt8]

    /// The list in a file; a damaged list has no ``sources``.
    init(contents: [UInt8]) { bytes = contents }

    /// The list with the `lines` of a year, each made by ``line(_:)``.
    init(lines: [UInt8]) { bytes = Array("// \(Asset.mark)\n".utf8) + lines }

    private static let emptyField = "-"
    private static let blank = UInt8(ascii: " ")

    // MARK: Writing

    /// The line of a day; empty without links and objects.
    static func line(_ galleryDay: GalleryDay) -> [UInt8] {
        var targets: [String] = []
        for link in ArchiveLink.all(in: galleryDay.record?.entry.explanationHTML ?? "") {
            let target = "\(link.day.number)"
            if !targets.contains(target) { targets.append(target) }
        }
        let objects = galleryDay.objects.sorted().map(\.searchTerm)
        guard !targets.isEmpty || !objects.isEmpty else { return [] }
        let title = galleryDay.title.excerpt(120)
        let line = "\(galleryDay.day.number) \(field(targets)) \(field(objects)) \(title)\n"
        return Array(line.utf8)
    }

    private static func field(_ words: [String]) -> String {
        words.isEmpty ? emptyField : words.joined(separator: ",")
    }

    // MARK: Reading

    /// The days of the valid lines.
    var sources: [Source] {
        var sources: [Source] = []
        var start = bytes.startIndex
        for end in bytes.indices where bytes[end] == UInt8(ascii: "\n") {
            if let source = Self.parse(bytes[start..<end]) { sources.append(source) }
            start = end + 1
        }
        return sources
    }

    private static func parse(_ line: ArraySlice<UInt8>) -> Source? {
        var rest = line
        guard let day = takeField(from: &rest).flatMap(day(in:)),
            let targets = takeField(from: &rest).flatMap(days(in:)),
            let objects = takeField(from: &rest)
        else { return nil }
        return Source(day: day, title: rest, targets: targets, objects: objects)
    }

    /// Removes the bytes up to and including the first blank, and returns those before it; `nil` if there is no blank.
    private static func takeField(from line: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let end = line.firstIndex(of: blank) else { return nil }
        defer { line = line[(end + 1)...] }
        return line[..<end]
    }

    /// Parses `15463,20662`; `nil` if a number is invalid.
    private static func days(in field: ArraySlice<UInt8>) -> [Day]? {
        guard !field.elementsEqual(emptyField.utf8) else { return [] }
        var days: [Day] = []
        for number in field.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            guard let day = day(in: number) else { return nil }
            days.append(day)
        }
        return days
    }

    /// Parses a ``APOD/Day/number``, which has at most five digits.
    private static func day(in field: ArraySlice<UInt8>) -> Day? {
        guard field.count <= 5, field.allSatisfy(\.isDigit) else { return nil }
        return Day(number: field.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
    }
}
