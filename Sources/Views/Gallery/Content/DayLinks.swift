internal import APOD
internal import Mirror
internal import Platform

/// The links between the days of the mirror: to which page a link leads, and which days mention a day.
///
/// They are read from the ``LinkList`` of each year: reading the records of all years in each update would take long. The page
/// of a month shows which days mention its days, and is made again when that changes: see ``addInputs(ofPageOf:to:)``.
struct DayLinks: Sendable {
    /// A day whose text has links to other days, or names objects.
    struct Source: Sendable {
        let day: Day
        /// The title in UTF-8, as a slice of the list: most titles are never shown and need no `String`.
        let title: ArraySlice<UInt8>
        /// The days to which the text links.
        let targets: [Day]
        /// The ``CatalogueObject/term``s of the objects that the text names, such as `M1,NGC1952`, as a slice of the list.
        let objects: ArraySlice<UInt8>
    }

    /// What is known of one day of the archive.
    private struct LinkedDay {
        /// Whether the day has a record.
        var isMirrored = false
        /// The position of the day in ``DayLinks/sources``; `nil` if its text has no links.
        var source: Int?
        /// The position in ``DayLinks/mentions`` of the newest link to the day; `nil` if no text links to it.
        var newestMention: Int?
    }

    /// A link to a day; the links to one day are a linked list, because an array for each day would take too much time.
    private struct Mention {
        /// A position in ``DayLinks/sources``.
        let source: Int
        /// The position in ``DayLinks/mentions`` of the next older link to the same day.
        let older: Int?
    }

    /// Newest first.
    private let sources: [Source]
    private var mentions: [Mention] = []
    /// All days of the archive; the index of a day is its distance from the first one.
    private var days = Array(
        repeating: LinkedDay(), count: Day.first.distance(to: .last) + 1)

    /// Finds the links between the `days` of the mirror in the `lists` of its years; the list of the newest year is first.
    init(_ lists: [LinkList], between days: [Day]) {
        sources = lists.flatMap(\.sources)
        for day in days { self[day].isMirrored = true }
        mentions.reserveCapacity(sources.reduce(0) { $0 + $1.targets.count })
        for position in sources.indices.reversed() {
            let source = sources[position]
            self[source.day].source = position
            for target in source.targets where target != source.day {
                mentions.append(Mention(source: position, older: self[target].newestMention))
                self[target].newestMention = mentions.count - 1
            }
        }
    }

    private subscript(day: Day) -> LinkedDay {
        get { days[Day.first.distance(to: day)] }
        _modify { yield &days[Day.first.distance(to: day)] }
    }

    /// The relative address, on the pages in `gallery/`, of the day to which `link` leads; `nil` if the day is not mirrored.
    func page(of link: ArchiveLink) -> String? {
        self[link.day].isMirrored ? link.day.galleryLink : nil
    }

    /// The days whose texts link to `day`, newest first.
    func mentions(of day: Day) -> [Source] {
        var found: [Source] = []
        forEachMention(of: day) { found.append(sources[$0]) }
        return found
    }

    /// The number of days whose texts name each object.
    var objectCounts: [CatalogueObject: Int] {
        var counts: [ArraySlice<UInt8>: Int] = [:]
        for source in sources {
            for object in source.objects.split(separator: UInt8(ascii: ",")) {
                counts[object, default: 0] += 1
            }
        }
        // The terms are parsed only now, once each, because a list has most of them many times.
        let objects = counts.map { term, count in
            SearchText(String(decoding: term, as: UTF8.self)).objects.map { ($0, count) }
        }
        return Dictionary(objects.joined()) { one, _ in one }
    }

    /// Calls `body` with the position in ``sources`` of each day whose text links to `day`, newest first.
    private func forEachMention(of day: Day, _ body: (Int) -> Void) {
        var next = self[day].newestMention
        while let position = next {
            body(mentions[position].source)
            next = mentions[position].older
        }
    }

    /// Adds to `digest` what a page with the text of `day` shows of other days: targets of links, and days that mention it.
    func addInputs(ofPageOf day: Day, to digest: inout InputDigest) {
        if let source = self[day].source {
            for target in sources[source].targets { digest.add(self[target].isMirrored ? 1 : 0) }
        }
        forEachMention(of: day) {
            let source = sources[$0]
            digest.add(source.day.number)
            digest.add(source.title.span)
        }
    }
}

extension Day {
    /// The page in `gallery/` on which the day can be opened: `2026-11.html`.
    var galleryPage: String { "\(Month(of: self)).html" }
    /// The address of the opened day on the other pages in `gallery/`: `2026-11.html#2026-11-20`.
    var galleryLink: String { "\(galleryPage)#\(self)" }
}

/// The file of a year in `gallery/links/`, with a line for each day whose text has links to other days, or names objects.
///
/// A line such as `20777 15463,20662 M1,NGC1952 The Crab Nebula` has the ``Day/number``s of the day and of the days to which
/// it links, the ``CatalogueObject/term``s of the objects, and the title. A `-` means that there are no links or no objects.
struct LinkList {
    let bytes: [UInt8]

    /// The list in a file; a damaged list has no ``sources``.
    init(contents: [UInt8]) { bytes = contents }

    /// The list with the `lines` of a year, each made by ``line(_:)``.
    init(lines: [UInt8]) { bytes = Array("// \(Asset.mark)\n".utf8) + lines }

    /// The line of a day; empty without links and objects.
    static func line(_ galleryDay: GalleryDay) -> [UInt8] {
        var words: [String] = []
        for link in ArchiveLink.all(in: galleryDay.record?.entry.explanationHTML ?? "") {
            let word = "\(link.day.number)"
            if !words.contains(word) { words.append(word) }
        }
        let objects = galleryDay.objects.sorted().map(\.searchTerm)
        guard !words.isEmpty || !objects.isEmpty else { return [] }
        let fields = [words, objects].map { $0.isEmpty ? none : $0.joined(separator: ",") }
        let title = galleryDay.title.excerpt(120)
        return Array(
            "\(galleryDay.day.number) \(fields.joined(separator: " ")) \(title)\n".utf8)
    }

    private static let none = "-"

    /// The days of the valid lines.
    var sources: [DayLinks.Source] {
        var sources: [DayLinks.Source] = []
        var start = bytes.startIndex
        for end in bytes.indices where bytes[end] == UInt8(ascii: "\n") {
            if let source = Self.parse(bytes[start..<end]) { sources.append(source) }
            start = end + 1
        }
        return sources
    }

    private static func parse(_ line: ArraySlice<UInt8>) -> DayLinks.Source? {
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

    /// Removes the digits at the beginning of `line`, at most five, and returns the day with this ``Day/number``.
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
