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
    }

    private let mirrored: Set<Day>
    private var titles: [Day: String] = [:]
    /// The days and months that the text of a day links to.
    private var targets: [Day: [ArchiveLink.Destination]] = [:]
    private var mentions: [Day: [Day]] = [:]

    /// The links in `lists`, which are the contents of the files.
    init(_ lists: [LinkList], in snapshot: TreeSnapshot) {
        mirrored = Set(snapshot.days.lazy.filter { $0.record != nil }.map(\.day))
        for list in lists { add(list) }
    }

    /// Replaces the links in the texts of `year`.
    mutating func replace(_ year: Int, by list: LinkList) {
        for day in targets.keys.filter({ $0.year == year }) {
            titles[day] = nil
            for case .day(let target) in targets.removeValue(forKey: day) ?? [] {
                mentions[target]?.removeAll { $0 == day }
            }
        }
        add(list)
    }

    private mutating func add(_ list: LinkList) {
        for line in list.lines {
            titles[line.day] = line.title
            targets[line.day] = line.targets
            for case .day(let target) in line.targets where target != line.day {
                mentions[target, default: []].append(line.day)
            }
        }
    }

    /// The page of the gallery that `link` leads to, from another page there; `nil` if the mirror has no such day.
    func page(of link: ArchiveLink) -> String? {
        isMirrored(link.destination) ? link.destination.page : nil
    }

    /// The days whose texts link to `day`, newest first.
    func mentions(of day: Day) -> [Source] {
        (mentions[day] ?? []).sorted(by: >).map { Source(day: $0, title: titles[$0] ?? "") }
    }

    /// Adds what the page of `day` shows of other days.
    func add(_ day: Day, to digest: inout InputDigest) {
        for target in targets[day] ?? [] { digest.add(isMirrored(target) ? 1 : 0) }
        for source in mentions(of: day) {
            digest.add(source.day.number)
            digest.add(source.title)
        }
    }

    private func isMirrored(_ destination: ArchiveLink.Destination) -> Bool {
        switch destination {
        case .day(let day): mirrored.contains(day)
        case .month(let day): day.monthDays.contains(where: mirrored.contains)
        case .nothing: false
        }
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
    /// Such as `2026-11`.
    var monthOfYear: String { String(description.prefix(7)) }

    /// The page of its month, which shows it opened.
    var page: String { "\(monthOfYear).html" }

    /// The link to it from the other pages in `gallery/`.
    var link: String { "\(page)#\(self)" }

    fileprivate var monthDays: [Day] {
        (1...31).compactMap { Day(year: year, month: month, day: $0) }
    }
}

/// The file of a year in `gallery/links/`: a line such as `20777 15463,-20662 The Crab Nebula` for each day whose text has
/// links to others.
///
/// Days are numbers; a number with a minus sign is the month of that day.
struct LinkList {
    private(set) var bytes = Array("// \(Asset.mark)\n".utf8)

    /// The contents of a file.
    init(contents bytes: [UInt8]) { self.bytes = bytes }

    /// The links in the texts of `days`.
    init(_ days: [GalleryDay]) {
        for galleryDay in days {
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
            guard !words.isEmpty else { continue }
            let title = galleryDay.title.excerpt(120)
            bytes += "\(galleryDay.day.number) \(words.joined(separator: ",")) \(title)\n".utf8
        }
    }

    struct Line {
        let day: Day
        let targets: [ArchiveLink.Destination]
        let title: String
    }

    /// The lines; what is none is left out.
    var lines: some Sequence<Line> {
        bytes.split(separator: 0x0A).lazy.compactMap { line in
            let parts = line.split(separator: 0x20, maxSplits: 2)
            guard parts.count == 3, let day = Self.number(parts[0]).flatMap(Day.init(number:))
            else { return nil }
            let targets = parts[1].split(separator: UInt8(ascii: ",")).compactMap(Self.target)
            return Line(
                day: day, targets: targets, title: String(decoding: parts[2], as: UTF8.self))
        }
    }

    private static func target(_ word: ArraySlice<UInt8>) -> ArchiveLink.Destination? {
        guard let number = number(word), let day = Day(number: abs(number)) else { return nil }
        return number < 0 ? .month(day) : .day(day)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        Int(String(decoding: digits, as: UTF8.self))
    }
}
