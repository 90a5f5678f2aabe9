internal import Transfer

/// An element of a response, or why it is none.
typealias RawElement = Result<RawEntry, EntryRejection>

/// The elements of one response of a feed, decoded into entries.
///
/// When NASA moved its entries in 2026, it doubled some. Of two entries of one day, the right one is the one whose web page
/// has that date; without such a page, it is the first one.
struct DecodedResponse: Sendable {
    /// At most one a day, in the order of the response.
    private(set) var entries: [Entry] = []
    private(set) var rejections: [EntryRejection] = []
    /// The requested days of the elements, in the order of the response.
    ///
    /// A day may occur twice. The day of a misfiled entry is left out, because the entry of that day may follow.
    private(set) var days: [Day] = []
    /// The number of elements in all result pages, which WordPress sends; `nil` from other servers.
    let elementCount: Int?
    /// The number of result pages; `nil` if the server does not send it.
    let pageCount: Int?
    let url: WebURL

    /// The days of ``entries`` whose web page has the same date.
    private var verifiedDays: Set<Day> = []

    /// Decodes `elements`, and rejects each one that is not of a `requested` day.
    ///
    /// If the task is cancelled, the rest is not decoded: ``FeedClient`` throws then.
    init(
        _ elements: [RawElement], from url: WebURL, by decoder: EntryDecoder,
        headers: [String: String], days requested: ClosedRange<Day>
    ) {
        self.url = url
        elementCount = headers["x-wp-total"].flatMap { Int($0) }
        pageCount = headers["x-wp-totalpages"].flatMap { Int($0) }
        for element in elements where !Task.isCancelled {
            do {
                try decode(element, by: decoder, days: requested)
            } catch {
                var rejection = error
                if let day = rejection.day, requested.contains(day) {
                    days.append(day)
                } else {
                    rejection.day = nil
                }
                rejections.append(rejection)
            }
        }
    }

    private mutating func decode(
        _ element: RawElement, by decoder: EntryDecoder, days requested: ClosedRange<Day>
    ) throws(EntryRejection) {
        let element = try element.get()
        var entry = try decoder.entry(from: element)
        guard requested.contains(entry.day) else {
            let range = "\(requested.lowerBound) to \(requested.upperBound)"
            throw EntryRejection(
                day: nil, reason: "an entry is dated \(entry.day), outside of \(range)")
        }
        if entry.isMisfiled {
            entry.day = Day.misfiled.lowerBound
        } else {
            days.append(entry.day)
        }
        add(entry, isVerified: element.pageDay == entry.day)
    }

    /// Adds `entry`, whose web page has its date if `isVerified`, and rejects one of two entries of one day.
    private mutating func add(_ entry: Entry, isVerified: Bool) {
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

    /// Rejects `entry`, but not its day, because that has another entry.
    private mutating func reject(duplicate entry: Entry) {
        rejections.append(
            EntryRejection(
                day: nil,
                reason: "“\(entry.title.prefix(80))” is a second entry dated \(entry.day)"))
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

    /// Returns the response as the result page of the newest entries.
    ///
    /// - Throws: ``FeedError/unusable(_:)`` if there is no entry.
    func newest() throws(FeedError) -> FeedPage {
        let days = entries.map(\.day)
        guard let newest = days.max(), let oldest = days.min() else {
            let reason = rejections.first?.reason ?? "the list is empty"
            throw .unusable("\(url) returned no valid entry: \(reason)")
        }
        // Only a list in order shows that it has all days between its ends.
        return page(covering: (isDescending ? oldest : newest)...newest)
    }

    /// Returns the response as a result page that has all entries of `days`.
    func page(covering days: ClosedRange<Day>) -> FeedPage {
        FeedPage(
            entries: entries.sorted { $0.day > $1.day }, rejections: rejections, covered: days)
    }
}

extension Entry {
    /// Whether it is the entry that NASA lists under the wrong date, see ``Day/misfiled``.
    fileprivate var isMisfiled: Bool {
        day == Day.misfiled.upperBound && title.hasPrefix("Manhattanhenge")
    }
}
