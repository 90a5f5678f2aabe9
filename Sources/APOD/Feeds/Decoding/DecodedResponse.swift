internal import Transfer

/// The fields of an element of a response, or the reason why the element is no entry.
typealias RawElement = Result<RawEntry, EntryRejection>

/// The response of a feed after its elements were decoded into entries.
///
/// When NASA moved its entries in 2026, some days got two entries. The right one is the entry whose web page has the date
/// of the day. If neither web page has that date, the first entry counts.
struct DecodedResponse: Sendable {
    /// At most one entry for each day, in the order of the response.
    private(set) var entries: [Entry] = []
    private(set) var rejections: [EntryRejection] = []
    /// The days of all elements whose day was requested, in the order of the response.
    ///
    /// A day may occur twice. The day of a misfiled entry is left out, because the right entry of that day may follow.
    private(set) var days: [Day] = []
    /// The number of elements in all result pages, which WordPress sends; `nil` from other servers.
    let elementCount: Int?
    /// The number of result pages; `nil` if the server does not send it.
    let pageCount: Int?
    let url: WebURL

    /// The days of those ``entries`` whose web page has the same date.
    private var verifiedDays: Set<Day> = []

    /// Decodes `elements`, and rejects each element whose day was not requested.
    ///
    /// If the task is cancelled, the remaining elements are not decoded, and ``FeedClient`` drops the result.
    init(
        _ elements: [RawElement], from url: WebURL, by decoder: EntryDecoder,
        headers: [String: String], days requestedDays: ClosedRange<Day>
    ) {
        self.url = url
        elementCount = headers["x-wp-total"].flatMap { Int($0) }
        pageCount = headers["x-wp-totalpages"].flatMap { Int($0) }
        for element in elements where !Task.isCancelled {
            do {
                try decode(element, by: decoder, days: requestedDays)
            } catch {
                var rejection = error
                if let day = rejection.day, requestedDays.contains(day) {
                    days.append(day)
                } else {
                    rejection.day = nil
                }
                rejections.append(rejection)
            }
        }
        removeSharedPictures()
    }

    private mutating func decode(
        _ element: RawElement, by decoder: EntryDecoder, days requestedDays: ClosedRange<Day>
    ) throws(EntryRejection) {
        let rawEntry = try element.get()
        var entry = try decoder.entry(from: rawEntry)
        guard requestedDays.contains(entry.day) else {
            let range = "\(requestedDays.lowerBound) to \(requestedDays.upperBound)"
            throw EntryRejection(
                day: nil, reason: "an entry is dated \(entry.day), outside of \(range)")
        }
        if entry.isMisfiled {
            entry.day = Day.misfiled.lowerBound
        } else {
            days.append(entry.day)
        }
        add(entry, isVerified: rawEntry.pageDay == entry.day)
    }

    /// Adds `entry`; if its day has an entry already, keeps the right one of the two, and rejects the other.
    ///
    /// `isVerified` says whether the web page of `entry` has the date of its day.
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

    /// Rejects the wrong one of two entries, without naming the day, because the day has the other entry.
    private mutating func reject(duplicate entry: Entry) {
        rejections.append(
            EntryRejection(
                day: nil,
                reason: "“\(entry.title.prefix(80))” is a second entry dated \(entry.day)"))
    }

    /// Removes each picture that the entries of three or more days name, because it counts as a ``Placeholder``.
    ///
    /// NASA's old API names its logo for every day, and any feed may name another picture of NASA's site in this way for some
    /// hours. NASA repeats a real picture much later: from 1995 to 2019, none had three days within 400 days.
    private mutating func removeSharedPictures() {
        let entriesByPicture = Dictionary(grouping: entries) { $0.media.pictures.first?.url }
        let shared = Set(entriesByPicture.filter { $1.count >= 3 }.keys.compactMap(\.self))
        entries = entries.compactMap { entry in
            guard let picture = entry.media.pictures.first?.url, shared.contains(picture)
            else { return entry }
            var entry = entry
            entry.media.pictures = []
            // As with the logo, only an entry of APOD Basic that comes from the API may be without media.
            let mayLackMedia = entry.feed == .basic && entry.route == .api
            if mayLackMedia || entry.media != Media() { return entry }
            rejections.append(EntryRejection(day: entry.day, reason: Placeholder.reason))
            return nil
        }
    }

    /// Whether the response has no element.
    var isEmpty: Bool { entries.isEmpty && rejections.isEmpty }

    /// Whether no element is newer than the one before it.
    var isDescending: Bool { zip(days, days.dropFirst()).allSatisfy { $0 >= $1 } }

    /// Returns the entry of `day`.
    ///
    /// - Throws: ``FeedError/unusable(_:)`` if there is none; the error says what the server sent instead.
    func entry(of day: Day) throws(FeedError) -> Entry {
        if let entry = entries.first(where: { $0.day == day }) { return entry }
        if entries.isEmpty, let rejection = rejections.first {
            throw .unusable("\(url) returned no valid entry: \(rejection.reason)")
        }
        let found = entries.first.map { "the entry of \($0.day)" } ?? "an empty list"
        throw .unusable("\(url) returned \(found) instead of \(day)")
    }

    /// Returns a result page with all entries of this response to a request for the newest entries.
    ///
    /// - Throws: ``FeedError/unusable(_:)`` if there is no entry.
    func newestPage() throws(FeedError) -> FeedPage {
        let days = entries.map(\.day)
        guard let newest = days.max(), let oldest = days.min() else {
            let reason = rejections.first?.reason ?? "the list is empty"
            throw .unusable("\(url) returned no valid entry: \(reason)")
        }
        // If the entries are not in order, other days between the oldest and the newest may be missing.
        return page(covering: (isDescending ? oldest : newest)...newest)
    }

    /// Returns a result page with all entries of this response, which the caller knows to be complete for `days`.
    func page(covering days: ClosedRange<Day>) -> FeedPage {
        FeedPage(
            entries: entries.sorted { $0.day > $1.day }, rejections: rejections, covered: days)
    }
}

extension Entry {
    /// Whether this is the one entry that NASA lists under a wrong date; see ``Day/misfiled``.
    fileprivate var isMisfiled: Bool {
        day == Day.misfiled.upperBound && title.hasPrefix("Manhattanhenge")
    }
}
