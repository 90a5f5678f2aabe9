internal import JSON
internal import Transfer

/// The elements of one response of a feed, decoded into entries.
///
/// When NASA moved its entries in 2026, it dated some wrongly, so that two have one date: “Manhattanhenge” of
/// 2007-07-13 is listed under 2007-07-16, as is the entry of that day. So an element has up to three dates:
/// - the day of its post in WordPress, an ``ImageArticle``, if ``FeedClient`` has requested that;
/// - the day on its web page, which NASA makes of the listed day, but other servers need not;
/// - the listed day, under which the feed has it.
/// The first of them that is known is the day of the entry. If it is not the listed day, the entry is *moved*.
struct DecodedResponse: Sendable {
    /// At most one a day, in the order of the response.
    private(set) var entries: [Entry] = []
    private(set) var rejections: [EntryRejection] = []
    /// The requested days under which elements are listed that are not moved, in the order of the response; a day may
    /// occur twice.
    private(set) var days: [Day] = []
    /// The days to which elements are moved that are listed under other days.
    private(set) var movedDays: Set<Day> = []
    /// The number of elements of all result pages, which WordPress sends; `nil` from other servers.
    let elementCount: Int?
    /// The number of result pages; `nil` if the server does not send it.
    let pageCount: Int?
    /// Whether the response has more elements than were decoded.
    let isCut: Bool
    let url: WebURL

    /// NASA lists an entry at most so many days before or after its own.
    static let maximumShift = 3

    /// An element with a valid entry.
    private struct Element {
        let day: Day
        let post: Int?
        let lacksPicture: Bool
    }

    /// Why an entry is that of its day, the weakest reason first: of two entries of one day, the stronger one is right.
    private enum Reason: Int {
        case listed, moved, page, post
    }

    private var elements: [Element] = []
    private var reasons: [Day: Reason] = [:]
    private var unrequestedDays: [Day] = []

    /// Decodes `elements`, with what is known of their posts; those of other days than the `requested` ones are
    /// rejected.
    ///
    /// If the task is cancelled, not all are decoded: ``FeedClient`` throws then.
    init(
        _ elements: [RawJSON], isCut: Bool, from url: WebURL, by decoder: EntryDecoder,
        headers: [String: String], days requested: ClosedRange<Day>,
        articles: [Int: ImageArticle] = [:]
    ) {
        self.isCut = isCut
        self.url = url
        elementCount = headers["x-wp-total"].flatMap { Int($0) }
        pageCount = headers["x-wp-totalpages"].flatMap { Int($0) }
        for element in elements where !Task.isCancelled {
            do {
                try decode(element, by: decoder, days: requested, articles)
            } catch {
                if let day = error.day, !requested.contains(day) {
                    unrequestedDays.append(day)
                } else {
                    rejections.append(error)
                    if let day = error.day { days.append(day) }
                }
            }
        }
        rejections += unrequestedDays.map { day in
            let range = "\(requested.lowerBound) to \(requested.upperBound)"
            return EntryRejection(day: nil, reason: "an entry is dated \(day), outside of \(range)")
        }
    }

    /// Decodes an element, and again with the day and the picture of its post, if that is in `articles`, or the day of its
    /// page.
    ///
    /// They may move the entry out of the requested days: they are those under which it is listed.
    private mutating func decode(
        _ json: RawJSON, by decoder: EntryDecoder, days requested: ClosedRange<Day>,
        _ articles: [Int: ImageArticle]
    ) throws(EntryRejection) {
        var element = try RawEntry(json: json)
        var entry = try decoder.entry(from: element)
        let listedDay = entry.day
        guard requested.contains(listedDay) else {
            unrequestedDays.append(listedDay)
            return
        }
        let article = element.post.flatMap { articles[$0] }
        // Another date on the page is one of its text.
        let pageDay = element.pageDay.flatMap {
            abs($0.distance(to: listedDay)) <= Self.maximumShift ? $0 : nil
        }
        let trueDay = article?.day ?? pageDay
        let picture = entry.lacksPicture ? article?.picture : nil
        if trueDay ?? listedDay != listedDay || picture != nil {
            element.update(day: trueDay, picture: picture)
            entry = try decoder.entry(from: element)
        }
        elements.append(
            Element(day: entry.day, post: element.post, lacksPicture: entry.lacksPicture))
        guard entry.day == listedDay else {
            movedDays.insert(entry.day)
            return add(entry, .moved)
        }
        days.append(listedDay)
        add(entry, article?.day != nil ? .post : pageDay != nil ? .page : .listed)
    }

    /// Adds the entry, or rejects one of two entries of one day: of two with the same reason, the second.
    private mutating func add(_ entry: Entry, _ reason: Reason) {
        if let index = entries.firstIndex(where: { $0.day == entry.day }) {
            guard let other = reasons[entry.day], other.rawValue < reason.rawValue else {
                return reject(duplicate: entry)
            }
            reject(duplicate: entries[index])
            entries[index] = entry
        } else {
            entries.append(entry)
        }
        reasons[entry.day] = reason
    }

    /// Rejects `entry`, but not its day, which has another entry.
    private mutating func reject(duplicate entry: Entry) {
        rejections.append(
            EntryRejection(
                day: nil,
                reason: "“\(entry.title.prefix(80))” is a second entry dated \(entry.day)"))
    }

    /// The posts that must be requested: of two entries of one day, only they say which is right, and of an entry
    /// without a picture, where that is.
    var neededPosts: [Int] {
        let counts = Dictionary(elements.map { ($0.day, 1) }, uniquingKeysWith: +)
        return elements.filter { $0.lacksPicture || counts[$0.day, default: 0] > 1 }
            .compactMap(\.post)
    }

    /// Whether the response has no element.
    var isEmpty: Bool { entries.isEmpty && rejections.isEmpty }

    /// Whether no element is newer than the one before it.
    var isDescending: Bool { zip(days, days.dropFirst()).allSatisfy { $0 >= $1 } }

    /// - Throws: ``FeedError/unusable(_:)``, which says what was returned instead of the entry of `day`.
    func entry(of day: Day) throws(FeedError) -> Entry {
        if let entry = entries.first(where: { $0.day == day }) { return entry }
        if entries.isEmpty, let rejection = rejections.first {
            throw .unusable("\(url) returned no valid entry: \(rejection.reason)")
        }
        let found = entries.first.map { "the entry of \($0.day)" } ?? "an empty list"
        throw .unusable("\(url) returned \(found) instead of \(day)")
    }

    /// Returns the result page of the newest entries.
    ///
    /// - Throws: ``FeedError/unusable(_:)`` if there is no entry.
    func newest() throws(FeedError) -> FeedPage {
        let entries = entries.sorted { $0.day > $1.day }
        let listed = entries.map(\.day).filter { reasons[$0] != .moved }
        guard let newest = listed.first, let oldest = listed.last else {
            let reason = entries.isEmpty ? "the list is empty" : "all entries are of other days"
            let rejection = rejections.first?.reason
            throw .unusable("\(url) returned no valid entry: \(rejection ?? reason)")
        }
        // Only a list in order shows that it has all days between its ends.
        return FeedPage(
            entries: entries, rejections: rejections,
            covered: (isDescending ? oldest : newest)...newest)
    }

    /// Rejects the response of a server that ignores the requested range: it does not say what that range has.
    ///
    /// - Throws: ``FeedError/unusable(_:)`` if all elements with a date are of other days.
    func checkDays(_ requested: ClosedRange<Day>) throws(FeedError) {
        guard days.isEmpty, movedDays.isEmpty, let day = unrequestedDays.first else { return }
        let range = "\(requested.lowerBound) to \(requested.upperBound)"
        throw .unusable("\(url) returned the entry of \(day) instead of \(range)")
    }
}
