internal import JSON
internal import Transfer

/// The entries of one response.
struct DecodedResponse: Sendable {
    /// In the order of the response.
    private(set) var entries: [Entry] = []
    private(set) var rejections: [EntryRejection] = []
    /// The days of all elements that name one, in the order of the response.
    private(set) var days: [Day] = []
    /// The days of the elements that were not requested.
    private var unrequestedDays: [Day] = []
    /// The numbers of matching elements and of their pages, if the server sends them.
    let elementCount: Int?
    let pageCount: Int?
    /// Whether the response has more elements than the limit.
    let isCut: Bool
    /// The URL that was requested.
    let url: WebURL

    /// The days whose entry contains a page of the same date.
    private var verifiedDays: Set<Day> = []
    /// The last element if its page is of another date: the next response may have a better one.
    private(set) var doubtfulElement: RawJSON?

    /// Elements of other days than the `requested` ones are rejected.
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
                add(entry, pageDay: element.pageDay, json)
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

    /// Adds `entry`; of two entries of one date the one whose page has that date wins.
    ///
    /// NASA dated the entries of some days wrongly.
    private mutating func add(_ entry: Entry, pageDay: Day?, _ json: RawJSON) {
        days.append(entry.day)
        let isVerified = pageDay == entry.day
        if let index = entries.firstIndex(where: { $0.day == entry.day }) {
            guard isVerified, !verifiedDays.contains(entry.day) else {
                return reject(duplicate: entry)
            }
            reject(duplicate: entries[index])
            entries[index] = entry
        } else {
            entries.append(entry)
            if pageDay != nil, !isVerified { doubtfulElement = json }
        }
        if isVerified { verifiedDays.insert(entry.day) }
    }

    /// Rejects `entry` without a day: the day has another entry.
    private mutating func reject(duplicate entry: Entry) {
        rejections.append(
            EntryRejection(
                day: nil,
                reason: "“\(entry.title.prefix(80))” is a second entry dated \(entry.day)"))
    }

    var isEmpty: Bool { entries.isEmpty && rejections.isEmpty }

    /// Whether no element is newer than the one before it; two may have one date.
    var isDescending: Bool { zip(days, days.dropFirst()).allSatisfy { $0 >= $1 } }

    /// Returns the entry of `day`; the error names what the server returned instead.
    func entry(of day: Day) throws(FeedError) -> Entry {
        if let entry = entries.first(where: { $0.day == day }) { return entry }
        if entries.isEmpty, let rejection = rejections.first {
            throw .unusable("\(url) returned no valid entry: \(rejection.reason)")
        }
        let found = entries.first.map { "the entry of \($0.day)" } ?? "an empty list"
        throw .unusable("\(url) returned \(found) instead of \(day)")
    }

    /// Returns the page of the newest entries; throws if there is none.
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

    /// - Throws: ``FeedError/unusable(_:)`` if all elements are of other days: a server that ignores the
    ///   requested range proves nothing about it.
    func checkDays(_ requested: ClosedRange<Day>) throws(FeedError) {
        guard days.isEmpty, let day = unrequestedDays.first else { return }
        let range = "\(requested.lowerBound) to \(requested.upperBound)"
        throw .unusable("\(url) returned the entry of \(day) instead of \(range)")
    }
}

extension ClosedRange<Day> {
    /// All days of the archive.
    static var archive: Self { Day.first...Day.last }
}
