internal import Transfer

/// The fields of an element of a response, or the reason why the element is no entry.
typealias RawElement = Result<RawEntry, EntryRejection>

/// The response of a feed after its elements were decoded into entries: the feeds make a ``FeedPage`` or an ``Entry`` of it.
struct DecodedResponse: Sendable {
    let url: WebURL
    /// At most one entry for each day, in the order of the response.
    let entries: [Entry]
    /// Why other elements are no entries.
    let rejections: [EntryRejection]
    /// The days of all elements, in the order of the response: see ``EntryCollector/listedDays``.
    let listedDays: [Day]
    /// The number of elements in all result pages, which WordPress sends; `nil` from other servers.
    let elementCount: Int?
    /// The number of result pages; `nil` if the server does not send it.
    let pageCount: Int?

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
        var collector = EntryCollector(decoder: decoder, requestedDays: requestedDays)
        for element in elements where !Task.isCancelled { collector.add(element) }
        collector.removeSharedPictures()
        entries = collector.entries
        rejections = collector.rejections
        listedDays = collector.listedDays
    }

    /// Whether no element is newer than the one before it.
    var listsNewestFirst: Bool {
        zip(listedDays, listedDays.dropFirst()).allSatisfy { $0 >= $1 }
    }

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
        return page(covering: (listsNewestFirst ? oldest : newest)...newest)
    }

    /// Returns a result page with all entries of this response, which the caller knows to be complete for `days`.
    func page(covering days: ClosedRange<Day>) -> FeedPage {
        FeedPage(
            entries: entries.sorted { $0.day > $1.day }, rejections: rejections, covered: days)
    }
}
