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

    /// The days with a record.
    private let mirrored: Set<Day>
    private var sources: [Day: Source] = [:]
    /// The days whose texts link to a day.
    private var mentions: [Day: [Day]] = [:]

    /// The links in `lists` between the days of the mirror.
    init(_ lists: [LinkList], in snapshot: TreeSnapshot) {
        mirrored = snapshot.recorded
        for source in lists.lazy.flatMap(\.sources) {
            sources[source.day] = source
            for target in source.targets where target != source.day {
                mentions[target, default: []].append(source.day)
            }
        }
    }

    /// The page of the gallery that `link` leads to, from another page there; `nil` if the mirror has no such day.
    func page(of link: ArchiveLink) -> String? {
        mirrored.contains(link.day) ? link.day.galleryLink : nil
    }

    /// The days whose texts link to `day`, newest first.
    func mentions(of day: Day) -> [Source] {
        (mentions[day] ?? []).sorted(by: >).compactMap { sources[$0] }
    }

    /// Adds to `digest` what a page that shows the text of `day` shows of other days.
    func addInputs(ofPageOf day: Day, to digest: inout InputDigest) {
        for target in sources[day]?.targets ?? [] { digest.add(mirrored.contains(target) ? 1 : 0) }
        for source in mentions(of: day) {
            digest.add(source.day.number)
            digest.add(source.title)
        }
    }
}

extension Day {
    /// The name of the page of its month in `gallery/`, on which the day can be opened.
    var galleryPage: String { "\(Month(of: self)).html" }
    /// The link to the opened day from the other pages in `gallery/`.
    var galleryLink: String { "\(galleryPage)#\(self)" }
}
