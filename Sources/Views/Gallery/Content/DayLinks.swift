internal import APOD
internal import Mirror

/// The links between the days of the mirror: which page a link leads to, and which days mention a day.
///
/// They come from the ``LinkList`` of each year, because the records of all years are too many to be read for each update.
/// A month page is made again when one of its days is mentioned: see ``addInputs(ofPageOf:to:)``.
struct DayLinks: Sendable {
    /// A day whose text has links to others.
    struct Source: Sendable {
        let day: Day
        let title: String
        /// The days that it links to.
        let targets: [Day]
    }

    private struct LinkedDay {
        /// Whether it has a record.
        var isMirrored = false
        /// The days that its text links to.
        var targets: [Day] = []
        /// The days whose texts link to it, as positions in ``DayLinks/sources``.
        var mentions: [Int] = []
    }

    /// In the order of the lists: newest first.
    private let sources: [Source]
    /// Each day from the first one on, until the last with a record: an update looks up all of them.
    private var days: [LinkedDay] = []

    /// The links in `lists`, which are those of the years, newest first, between the days of the mirror.
    init(_ lists: [LinkList], in snapshot: TreeSnapshot) {
        sources = lists.flatMap(\.sources)
        guard let last = snapshot.days.last?.day else { return }
        days = Array(repeating: LinkedDay(), count: Day.first.distance(to: last) + 1)
        for files in snapshot.days where files.record != nil {
            days[Day.first.distance(to: files.day)].isMirrored = true
        }
        for (position, source) in sources.enumerated() {
            if let index = index(of: source.day) { days[index].targets = source.targets }
            for target in source.targets where target != source.day {
                if let index = index(of: target) { days[index].mentions.append(position) }
            }
        }
    }

    private func index(of day: Day) -> Int? {
        let index = Day.first.distance(to: day)
        return index < days.count ? index : nil
    }

    private func isMirrored(_ day: Day) -> Bool {
        index(of: day).map { days[$0].isMirrored } ?? false
    }

    /// The page of the gallery that `link` leads to, from another page there; `nil` if the mirror has no such day.
    func page(of link: ArchiveLink) -> String? {
        isMirrored(link.day) ? link.day.galleryLink : nil
    }

    /// The days whose texts link to `day`, newest first.
    func mentions(of day: Day) -> [Source] {
        index(of: day).map { days[$0].mentions.map { sources[$0] } } ?? []
    }

    /// Adds to `digest` what a page that shows the text of `day` shows of other days.
    func addInputs(ofPageOf day: Day, to digest: inout InputDigest) {
        guard let index = index(of: day) else { return }
        for target in days[index].targets { digest.add(isMirrored(target) ? 1 : 0) }
        for position in days[index].mentions {
            digest.add(sources[position].day.number)
            digest.add(sources[position].title)
        }
    }
}

extension Day {
    /// The name of the page of its month in `gallery/`, on which the day can be opened.
    var galleryPage: String { "\(Month(of: self)).html" }
    /// The link to the opened day from the other pages in `gallery/`.
    var galleryLink: String { "\(galleryPage)#\(self)" }
}
