internal import JSON
internal import Transfer

/// The elements of one response of a feed, decoded into entries.
///
/// NASA dated some entries wrongly, so that two have one date. The article in an entry of APOD Basic has a
/// date of its own: of two entries of one day, the one whose article has the same date counts.
struct DecodedResponse: Sendable {
    /// At most one a day, in the order of the response.
    private(set) var entries: [Entry] = []
    private(set) var rejections: [EntryRejection] = []
    /// The requested days that elements name, in the order of the response; a day may occur twice.
    private(set) var days: [Day] = []
    /// The other days that elements name.
    private var unrequestedDays: [Day] = []
    /// The number of elements of all result pages; `nil` if the server does not send it.
    let elementCount: Int?
    /// The number of result pages; `nil` if the server does not send it.
    let pageCount: Int?
    /// Whether the response has more elements than were decoded.
    let isCut: Bool
    let url: WebURL

    /// The days whose entry has an article of the same date.
    private var verifiedDays: Set<Day> = []
    /// The last element of the response if its article has another date; else `nil`.
    ///
    /// The next result page may begin with the right entry of its day.
    private(set) var doubtfulElement: RawJSON?

    /// Decodes `elements`; those of other days than the `requested` ones are rejected.
    init(
        _ elements: [RawJSON], isCut: Bool, from url: WebURL, by decoder: EntryDecoder,
        headers: [String: String], days requested: ClosedRange<Day>
    ) {
        self.isCut = isCut
        self.url = url
        elementCount = headers["x-wp-total"].flatMap { Int($0) }
        pageCount = headers["x-wp-totalpages"].flatMap { Int($0) }
        for json in elements where !Task.isCancelled {
            doubtfulElement = nil
            do {
                let element = try RawEntry(json: json)
                let entry = try decoder.entry(from: element)
                guard requested.contains(entry.day) else {
                    unrequestedDays.append(entry.day)
                    continue
                }
                add(entry, articleDay: element.pageDay, of: json)
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

    /// Adds the entry of `element`, whose article has the date `articleDay`, or rejects one of two of a day.
    private mutating func add(_ entry: Entry, articleDay: Day?, of element: RawJSON) {
        days.append(entry.day)
        let isVerified = articleDay == entry.day
        if let index = entries.firstIndex(where: { $0.day == entry.day }) {
            guard isVerified, !verifiedDays.contains(entry.day) else {
                return reject(duplicate: entry)
            }
            reject(duplicate: entries[index])
            entries[index] = entry
        } else {
            entries.append(entry)
            if articleDay != nil, !isVerified { doubtfulElement = element }
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
        guard let newest = entries.first?.day, let oldest = entries.last?.day else {
            let reason = rejections.first?.reason ?? "the list is empty"
            throw .unusable("\(url) returned no valid entry: \(reason)")
        }
        // A response out of order may lack days between two entries.
        return FeedPage(
            entries: entries, rejections: rejections,
            covered: (isDescending ? oldest : newest)...newest)
    }

    /// Rejects the response of a server that ignores the requested range: it proves nothing about that.
    ///
    /// - Throws: ``FeedError/unusable(_:)`` if all elements are of other days.
    func checkDays(_ requested: ClosedRange<Day>) throws(FeedError) {
        guard days.isEmpty, let day = unrequestedDays.first else { return }
        let range = "\(requested.lowerBound) to \(requested.upperBound)"
        throw .unusable("\(url) returned the entry of \(day) instead of \(range)")
    }
}

extension ClosedRange<Day> {
    static var archive: Self { Day.first...Day.last }
}
