internal import Transfer

/// An element of a response, or why it is none.
typealias RawElement = Result<RawEntry, EntryRejection>

/// The elements of one response of a feed, decoded into entries.
///
/// When NASA moved its entries in 2026, it dated some wrongly, so that two have one date: “Manhattanhenge” of
/// 2007-07-13 is listed under 2007-07-16, as is the entry of that day. So an element has up to three dates:
/// - the listed day, under which the feed has it;
/// - the day of its post in WordPress, an ``ImageArticle``, if ``FeedClient`` has requested that: it moves the entry;
/// - the day on its web page: of two entries of one day, the one whose page has the same date is right.
struct DecodedResponse: Sendable {
    /// At most one a day, in the order of the response.
    private(set) var entries: [Entry] = []
    private(set) var rejections: [EntryRejection] = []
    /// The requested days under which elements are listed, in the order of the response; a day may occur twice.
    ///
    /// Those of moved entries are left out: the entry of such a day may follow.
    private(set) var days: [Day] = []
    /// The days to which posts moved entries that are listed under other days.
    private(set) var movedDays: Set<Day> = []
    /// The number of elements of all result pages, which WordPress sends; `nil` from other servers.
    let elementCount: Int?
    /// The number of result pages; `nil` if the server does not send it.
    let pageCount: Int?
    let url: WebURL

    /// An element with a valid entry.
    private struct Element {
        let listedDay: Day
        let post: Int?
        /// Whether only its post can say on which day it was published, or where its picture is.
        let needsPost: Bool
    }

    private var elements: [Element] = []
    /// The days whose entry has a page or a post of the same date.
    private var verifiedDays: Set<Day> = []

    /// Decodes `elements`, with what is known of their posts; those of other days than the `requested` ones are
    /// rejected.
    ///
    /// If the task is cancelled, not all are decoded: ``FeedClient`` throws then.
    init(
        _ elements: [RawElement], from url: WebURL, by decoder: EntryDecoder,
        headers: [String: String], days requested: ClosedRange<Day>,
        articles: [Int: ImageArticle] = [:]
    ) {
        self.url = url
        elementCount = headers["x-wp-total"].flatMap { Int($0) }
        pageCount = headers["x-wp-totalpages"].flatMap { Int($0) }
        for element in elements where !Task.isCancelled {
            do {
                try decode(element, by: decoder, days: requested, articles)
            } catch {
                let day = error.day.flatMap { requested.contains($0) ? $0 : nil }
                rejections.append(EntryRejection(day: day, reason: error.reason))
                if let day { days.append(day) }
            }
        }
    }

    /// Decodes an element, and again with the day and the picture that its post has, if that is in `articles`.
    ///
    /// The post may move the entry out of the requested days: they are those under which it is listed.
    private mutating func decode(
        _ element: RawElement, by decoder: EntryDecoder, days requested: ClosedRange<Day>,
        _ articles: [Int: ImageArticle]
    ) throws(EntryRejection) {
        var element = try element.get()
        var entry = try decoder.entry(from: element)
        let listedDay = entry.day
        guard requested.contains(listedDay) else {
            let range = "\(requested.lowerBound) to \(requested.upperBound)"
            throw EntryRejection(
                day: nil, reason: "an entry is dated \(listedDay), outside of \(range)")
        }
        let article = element.post.flatMap { articles[$0] }
        if let article {
            element.update(from: article, lacksPicture: entry.lacksPicture)
            entry = try decoder.entry(from: element)
        }
        let trueDay = article?.day ?? element.pageDay
        let isMisdated = (trueDay ?? listedDay) != entry.day
        elements.append(
            Element(
                listedDay: listedDay, post: element.post,
                needsPost: entry.lacksPicture || isMisdated))
        if entry.day == listedDay { days.append(listedDay) } else { movedDays.insert(entry.day) }
        add(entry, trueDay: trueDay)
    }

    /// Adds `entry`, or rejects one of two entries of one day.
    ///
    /// `trueDay` is the date of its post, else of its page; `nil` if both are unknown.
    private mutating func add(_ entry: Entry, trueDay: Day?) {
        let isVerified = trueDay == entry.day
        if let index = entries.firstIndex(where: { $0.day == entry.day }) {
            guard isVerified, !verifiedDays.contains(entry.day) else {
                return reject(duplicate: entry)
            }
            reject(duplicate: entries[index])
            entries[index] = entry
        } else {
            entries.append(entry)
        }
        if isVerified { verifiedDays.insert(entry.day) }
    }

    /// Rejects `entry`, but not its day, which has another entry.
    private mutating func reject(duplicate entry: Entry) {
        rejections.append(
            EntryRejection(
                day: nil,
                reason: "“\(entry.title.prefix(80))” is a second entry dated \(entry.day)"))
    }

    /// The posts that must be requested to know the days and the pictures of all elements.
    var neededPosts: [Int] {
        let counts = Dictionary(elements.map { ($0.listedDay, 1) }, uniquingKeysWith: +)
        return elements.filter { $0.needsPost || counts[$0.listedDay, default: 0] > 1 }
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
        let listed = entries.map(\.day).filter { !movedDays.contains($0) }
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
}
