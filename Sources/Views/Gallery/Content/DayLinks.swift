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
    /// All days of the archive, from the first one on: an update looks up each day of the mirror.
    private var days = Array(
        repeating: LinkedDay(), count: Day.first.distance(to: .last) + 1)

    /// The links in `lists`, which are those of the years, newest first, between the days of the mirror.
    init(_ lists: [LinkList], in snapshot: TreeSnapshot) {
        sources = lists.flatMap(\.sources)
        for day in snapshot.recordedInOrder { self[day].isMirrored = true }
        for (position, source) in sources.enumerated() {
            self[source.day].targets = source.targets
            for target in source.targets where target != source.day {
                self[target].mentions.append(position)
            }
        }
    }

    private subscript(day: Day) -> LinkedDay {
        get { days[Day.first.distance(to: day)] }
        _modify { yield &days[Day.first.distance(to: day)] }
    }

    /// The page of the gallery that `link` leads to, from another page there; `nil` if the mirror has no such day.
    func page(of link: ArchiveLink) -> String? {
        self[link.day].isMirrored ? link.day.galleryLink : nil
    }

    /// The days whose texts link to `day`, newest first.
    func mentions(of day: Day) -> [Source] { self[day].mentions.map { sources[$0] } }

    /// Adds to `digest` what a page that shows the text of `day` shows of other days.
    func addInputs(ofPageOf day: Day, to digest: inout InputDigest) {
        for target in self[day].targets { digest.add(self[target].isMirrored ? 1 : 0) }
        for position in self[day].mentions {
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
