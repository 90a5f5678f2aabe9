internal import APOD
internal import Mirror
internal import Platform

/// The links between the days of the mirror: to which page a link leads, and which days mention a day.
///
/// The text of a day often links to earlier days. On the pages of the gallery, such a link leads to a page of the mirror, and
/// an opened day lists the days that mention it. The links come from the ``LinkList`` of each year, because reading the records
/// of all years in each update would take long.
struct DayLinks: Sendable {
    /// What is known of one day of the archive.
    private struct LinkedDay {
        /// Whether the day has a record.
        var isMirrored = false
        /// The position of the day in ``DayLinks/sources``; `nil` if its text has no links and names no objects.
        var source: Int?
    }

    /// Newest first.
    private let sources: [LinkList.Source]
    /// All days of the archive, each at its ``APOD/Day/archiveIndex``.
    private var days = Array(repeating: LinkedDay(), count: Day.archiveLength)
    private var mentions: MentionLists

    /// Finds the links between the `days` of the mirror in the `lists` of its years; the list of the newest year is first.
    init(_ lists: [LinkList], between days: [Day]) {
        sources = lists.flatMap(\.sources)
        mentions = MentionLists(capacity: sources.reduce(0) { $0 + $1.targets.count })
        for day in days { self[day].isMirrored = true }
        // Oldest first, as the lists of mentions need it.
        for position in sources.indices.reversed() {
            let source = sources[position]
            self[source.day].source = position
            for target in source.targets where target != source.day {
                mentions.add(target, mentionedBy: position)
            }
        }
    }

    private subscript(day: Day) -> LinkedDay {
        get { days[day.archiveIndex] }
        _modify { yield &days[day.archiveIndex] }
    }

    /// The relative address, on the pages in `gallery/`, of the day to which `link` leads; `nil` if the day is not mirrored.
    func page(of link: ArchiveLink) -> String? {
        self[link.day].isMirrored ? link.day.galleryLink : nil
    }

    /// The days whose texts link to `day`, newest first.
    func mentions(of day: Day) -> [LinkList.Source] {
        var found: [LinkList.Source] = []
        mentions.forEachSource(mentioning: day) { found.append(sources[$0]) }
        return found
    }

    /// The number of days whose texts name each object.
    var objectCounts: [CatalogueObject: Int] {
        // Most terms occur many times. They are counted as bytes, and then each is parsed only once.
        var countsOfTerms: [ArraySlice<UInt8>: Int] = [:]
        for source in sources {
            for term in source.objects.split(separator: UInt8(ascii: ",")) {
                countsOfTerms[term, default: 0] += 1
            }
        }
        var counts: [CatalogueObject: Int] = [:]
        for (term, count) in countsOfTerms {
            for object in SearchText(String(decoding: term, as: UTF8.self)).objects {
                counts[object] = count
            }
        }
        return counts
    }

    /// Adds to `digest` what a page with the text of `day` shows of other days, so that the page is made again if that changes.
    ///
    /// A page shows whether the targets of links are mirrored, and which days mention `day`.
    func addInputs(ofPageOf day: Day, to digest: inout InputDigest) {
        if let source = self[day].source {
            for target in sources[source].targets { digest.add(self[target].isMirrored ? 1 : 0) }
        }
        mentions.forEachSource(mentioning: day) { position in
            let source = sources[position]
            digest.add(source.day.number)
            digest.add(source.title.span)
        }
    }
}

/// For each day of the archive, the positions in ``DayLinks/sources`` of the days that mention it.
///
/// The mentions of a day are a linked list, because an array for each day would take too much time.
private struct MentionLists {
    private struct Mention {
        /// The position of the day that mentions another one.
        let source: Int
        /// The index in ``mentions`` of the next older mention of the same day; `nil` if there is none.
        let older: Int?
    }

    /// The mentions of all days.
    private var mentions: [Mention] = []
    /// The index in ``mentions`` of the newest mention of each day; `nil` if no text mentions the day.
    private var newest: [Int?] = Array(repeating: nil, count: Day.archiveLength)

    init(capacity: Int) { mentions.reserveCapacity(capacity) }

    /// Adds a mention of `day`, which must be newer than the ones that were added before.
    mutating func add(_ day: Day, mentionedBy source: Int) {
        mentions.append(Mention(source: source, older: newest[day.archiveIndex]))
        newest[day.archiveIndex] = mentions.count - 1
    }

    /// Calls `body` with the position of each day that mentions `day`, newest first.
    func forEachSource(mentioning day: Day, _ body: (Int) -> Void) {
        var next = newest[day.archiveIndex]
        while let index = next {
            body(mentions[index].source)
            next = mentions[index].older
        }
    }
}

extension Day {
    /// The number of days that APOD can have.
    fileprivate static let archiveLength = Day.last.archiveIndex + 1
    /// The number of days since the first one of APOD.
    fileprivate var archiveIndex: Int { Day.first.distance(to: self) }

    /// The page in `gallery/` on which the day can be opened: `2026-11.html`.
    var galleryPage: String { "\(Month(of: self)).html" }
    /// The address of the opened day on the other pages in `gallery/`: `2026-11.html#2026-11-20`.
    var galleryLink: String { "\(galleryPage)#\(self)" }
}
