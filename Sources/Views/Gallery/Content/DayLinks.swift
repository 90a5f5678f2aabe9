internal import APOD
internal import Mirror

/// The links between the days of the mirror: which page a link leads to, and which days mention a day.
///
/// They come from the ``LinkList`` of each year, because the records of all years are too many to be read for each update.
/// A month page is made again when one of its days is mentioned: see ``addInputs(ofPageOf:to:)``.
struct DayLinks: Sendable {
    /// A day whose text has links to others, or names objects.
    struct Source: Sendable {
        let day: Day
        /// In UTF-8, as a part of the list; most titles are never shown.
        let title: ArraySlice<UInt8>
        /// The days that it links to.
        let targets: [Day]
        /// The ``CatalogueObject/term``s of what its text names by catalogue, with commas, as a part of the list.
        let objects: ArraySlice<UInt8>
    }

    private struct LinkedDay {
        /// Whether it has a record.
        var isMirrored = false
        /// Its position in ``DayLinks/sources``; `nil` if its text has no links.
        var source: Int?
        /// The position in ``DayLinks/mentions`` of the newest day whose text links to it.
        var newestMention: Int?
    }

    /// A link to a day, as one of a chain: an array for each day would take most of the time of an update.
    private struct Mention {
        /// A position in ``DayLinks/sources``.
        let source: Int
        /// The position in ``DayLinks/mentions`` of the next older day with a link to the same one.
        let older: Int?
    }

    /// In the order of the lists: newest first.
    private let sources: [Source]
    private var mentions: [Mention] = []
    /// All days of the archive, from the first one on: an update looks up each day of the mirror.
    private var days = Array(
        repeating: LinkedDay(), count: Day.first.distance(to: .last) + 1)

    /// The links in `lists`, which are those of the years, newest first, between the days of the mirror.
    init(_ lists: [LinkList], in snapshot: TreeSnapshot) {
        sources = lists.flatMap(\.sources)
        for day in snapshot.recordedInOrder { self[day].isMirrored = true }
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

    /// The page of the gallery that `link` leads to, from another page there; `nil` if the mirror has no such day.
    func page(of link: ArchiveLink) -> String? {
        self[link.day].isMirrored ? link.day.galleryLink : nil
    }

    /// The days whose texts link to `day`, newest first.
    func mentions(of day: Day) -> [Source] {
        var found: [Source] = []
        forEachMention(of: day) { found.append(sources[$0]) }
        return found
    }

    /// On how many days the texts name each object.
    var objectCounts: [CatalogueObject: Int] {
        var counts: [ArraySlice<UInt8>: Int] = [:]
        for source in sources {
            for object in source.objects.split(separator: UInt8(ascii: ",")) {
                counts[object, default: 0] += 1
            }
        }
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

    /// Adds to `digest` what a page that shows the text of `day` shows of other days.
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
    /// The name of the page of its month in `gallery/`, on which the day can be opened.
    var galleryPage: String { "\(Month(of: self)).html" }
    /// The link to the opened day from the other pages in `gallery/`.
    var galleryLink: String { "\(galleryPage)#\(self)" }
}
