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

    let snapshot: TreeSnapshot
    private var sources: [Day: Source] = [:]
    /// The days and months that the text of a day links to.
    private var targets: [Day: [ArchiveLink.Destination]] = [:]
    /// Newest first.
    private var mentions: [Day: [Day]] = [:]

    /// Reads the files at `paths`, newest year first.
    init(_ paths: [String], _ input: ViewInput) throws(SystemError) {
        snapshot = input.snapshot
        for path in paths {
            for line in try ifReadable(input.root.read(path))?.split(separator: 0x0A) ?? [] {
                add(LinkList.Line(line))
            }
        }
    }

    private mutating func add(_ line: LinkList.Line?) {
        guard let line else { return }
        sources[line.day] = Source(day: line.day, title: line.title)
        targets[line.day] = line.targets
        for case .day(let target) in line.targets where target != line.day {
            mentions[target, default: []].append(line.day)
        }
    }

    /// The page of the gallery that `link` leads to, from another page there; `nil` if the mirror has no such day.
    func page(of link: ArchiveLink) -> String? {
        isMirrored(link.destination) ? link.destination.page : nil
    }

    /// The days whose texts link to `day`, newest first.
    func mentions(of day: Day) -> [Source] { (mentions[day] ?? []).compactMap { sources[$0] } }

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
        case .day(let day): snapshot[day]?.record != nil
        case .month(let day): day.monthDays.contains { snapshot[$0]?.record != nil }
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

/// The file of a year in `gallery/links/`: a line for each day whose text has links to other days.
struct LinkList {
    private(set) var bytes = Array("// \(Asset.mark)\n".utf8)

    mutating func add(_ galleryDay: GalleryDay) {
        let links = ArchiveLink.all(in: galleryDay.record?.entry.explanationHTML ?? "")
        var words: [String] = []
        for link in links {
            let word: String
            switch link.destination {
            case .day(let day): word = day.compact
            case .month(let day): word = String(day.compact.prefix(4))
            case .nothing: continue
            }
            if !words.contains(word) { words.append(word) }
        }
        guard !words.isEmpty else { return }
        let line =
            "\(galleryDay.day) \(words.joined(separator: ",")) \(galleryDay.title.excerpt(120))\n"
        bytes += line.utf8
    }

    /// A line such as `2026-11-20 120503,2608 The Crab Nebula`.
    struct Line {
        let day: Day
        let targets: [ArchiveLink.Destination]
        let title: String

        /// `nil` for one that is no such line.
        init?(_ line: ArraySlice<UInt8>) {
            let parts = line.split(separator: 0x20, maxSplits: 2)
            guard parts.count == 3, let day = Day(iso: parts[0]) else { return nil }
            self.day = day
            title = String(decoding: parts[2], as: UTF8.self)
            targets = parts[1].split(separator: UInt8(ascii: ",")).compactMap { word in
                let digits = String(decoding: word, as: UTF8.self)
                return digits.utf8.count == 4
                    ? Day(compact: "\(digits)28").map { .month($0) }
                    : Day(compact: digits).map { .day($0) }
            }
        }
    }
}
