internal import APOD
internal import Mirror
internal import Platform

/// The links between the days of the mirror: which page a link leads to, and which days mention a day.
///
/// They come from the files of the years in `gallery/links/`, because the records of all years are too many to be read for
/// each update.
struct DayLinks: Sendable {
    /// A day whose text has links to others.
    struct Source: Sendable {
        let day: Day
        let title: String
        /// The days and months that it links to.
        fileprivate let targets: [ArchiveLink.Destination]
    }

    private var isMirrored = DayTable(repeating: false)
    private var sources = DayTable<Source?>(repeating: nil)
    /// The days whose texts link to a day.
    private var mentions = DayTable<[Day]>(repeating: [])

    /// The links in `lists` between the days of the mirror.
    init(_ lists: [LinkList], in snapshot: TreeSnapshot) {
        for files in snapshot.days where files.record != nil { isMirrored[files.day] = true }
        for source in lists.lazy.flatMap(\.sources) {
            sources[source.day] = source
            for case .day(let target) in source.targets where target != source.day {
                mentions[target].append(source.day)
            }
        }
    }

    /// The page of the gallery that `link` leads to, from another page there; `nil` if the mirror has no such day.
    func page(of link: ArchiveLink) -> String? {
        isMirrored(link.destination) ? link.destination.page : nil
    }

    /// The days whose texts link to `day`, newest first.
    func mentions(of day: Day) -> [Source] {
        mentions[day].sorted(by: >).compactMap { sources[$0] }
    }

    /// Adds what the page of `day` shows of other days.
    func add(_ day: Day, to digest: inout InputDigest) {
        for target in sources[day]?.targets ?? [] { digest.add(isMirrored(target) ? 1 : 0) }
        for source in mentions(of: day) {
            digest.add(source.day.number)
            digest.add(source.title)
        }
    }

    private func isMirrored(_ destination: ArchiveLink.Destination) -> Bool {
        switch destination {
        case .day(let day): isMirrored[day]
        case .month(let day): Month(of: day).days.contains { isMirrored[$0] }
        case .nothing: false
        }
    }
}

/// A value for each day, found by its position: much faster than a dictionary.
private struct DayTable<Value: Sendable>: Sendable {
    private var values: [Value]

    init(repeating value: Value) {
        values = Array(repeating: value, count: Day.last.number - Day.first.number + 1)
    }

    subscript(day: Day) -> Value {
        get { values[day.number - Day.first.number] }
        _modify { yield &values[day.number - Day.first.number] }
    }
}

extension ArchiveLink.Destination {
    fileprivate var page: String? {
        switch self {
        case .day(let day): day.link
        case .month(let day): day.page
        case .nothing: nil
        }
    }
}

extension Day {
    /// The page of its month, which shows it opened.
    var page: String { "\(Month(of: self)).html" }

    /// The link to it from the other pages in `gallery/`.
    var link: String { "\(page)#\(self)" }
}

/// The file of a year in `gallery/links/`: a line such as `20777 15463,-20662 The Crab Nebula` for each day whose text has
/// links to others.
///
/// Days are numbers; a number with a minus sign is the month of that day.
struct LinkList {
    private(set) var bytes: [UInt8]

    /// The list without a day, or the `contents` of a file.
    init(contents: [UInt8]? = nil) { bytes = contents ?? Array("// \(Asset.mark)\n".utf8) }

    /// Appends the links in the text of the next day.
    mutating func add(_ galleryDay: GalleryDay) {
        var words: [String] = []
        for link in ArchiveLink.all(in: galleryDay.record?.entry.explanationHTML ?? "") {
            let word: String
            switch link.destination {
            case .day(let day): word = "\(day.number)"
            case .month(let day): word = "-\(day.number)"
            case .nothing: continue
            }
            if !words.contains(word) { words.append(word) }
        }
        guard !words.isEmpty else { return }
        let title = galleryDay.title.excerpt(120)
        bytes += "\(galleryDay.day.number) \(words.joined(separator: ",")) \(title)\n".utf8
    }

    /// The days of the lines; what is none is left out.
    var sources: [DayLinks.Source] {
        bytes.split(separator: UInt8(ascii: "\n")).compactMap(Self.source)
    }

    private static func source(_ line: ArraySlice<UInt8>) -> DayLinks.Source? {
        let space = UInt8(ascii: " ")
        guard let end = line.firstIndex(of: space), let day = day(line[..<end]),
            let start = line[(end + 1)...].firstIndex(of: space)
        else { return nil }
        return DayLinks.Source(
            day: day, title: String(decoding: line[(start + 1)...], as: UTF8.self),
            targets: line[end + 1..<start].split(separator: UInt8(ascii: ",")).compactMap(target))
    }

    private static func target(_ word: ArraySlice<UInt8>) -> ArchiveLink.Destination? {
        word.first == UInt8(ascii: "-")
            ? day(word.dropFirst()).map { .month($0) } : day(word).map { .day($0) }
    }

    private static func day(_ digits: ArraySlice<UInt8>) -> Day? {
        guard digits.count == 4 || digits.count == 5, digits.allSatisfy(\.isDigit) else {
            return nil
        }
        return Day(number: digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
    }
}
