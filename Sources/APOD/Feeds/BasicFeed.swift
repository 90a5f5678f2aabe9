package import Transfer

/// NASA's feed since 2026, APOD Basic, a list of WordPress; and those compatible with it.
package struct BasicFeed: Feed {
    /// The path of NASA's feed.
    static let path = "/wp-json/wp/v2/apod-basic"
    /// The elements of a result page of NASA, which sends no more whatever is requested; other servers may.
    package static let pageSize = 25

    private let client: FeedClient

    /// The user's `url` may lack a path.
    package init(at url: WebURL, request: @escaping FeedRequest) {
        client = FeedClient(
            url, defaultPath: Self.path, elementLimit: Self.pageSize, request: request)
    }

    package var kind: FeedKind { .basic }

    package func newest() async throws(FeedError) -> FeedPage {
        try await client.get(client.resultPage(1)).newest()
    }

    package func entry(of day: Day) async throws(FeedError) -> Entry {
        do {
            let response = try await client.get(client.url.appending(day.compact))
            // Else its post dates the entry differently, and that of `day` may be listed under another day, too.
            if response.movedDays.isEmpty { return try response.entry(of: day) }
        } catch .transfer(.refused(_, 404, let body))
            where ServerError(body: body)?.code == "apod_basic_not_found"
        {}
        return try await misfiledEntry(of: day)
    }

    /// Returns an entry that NASA lists under a wrong day, at most three days off: that of 2007-07-13 under 2007-07-16.
    private func misfiledEntry(of day: Day) async throws(FeedError) -> Entry {
        let days = day.advanced(by: -3)...day.advanced(by: 3)
        do {
            let list = try await client.get(client.resultPage(1, of: days), days: days)
            let entry = list.entries.first { $0.day == day }
            // It was moved to `day`, or is beside one that was moved from there.
            if let entry, !list.movedDays.isEmpty { return entry }
        } catch .unusable, .transfer(.refused(_, 400, _)), .transfer(.refused(_, 404, _)) {
            // The server has no lists, or none of these days; other errors say nothing about the day.
        }
        throw .notPublished(day)
    }

    package func pages(over days: ClosedRange<Day>) -> FeedPages {
        FeedPages(BasicPager(over: days, client: client))
    }
}

extension FeedClient {
    /// The URL of a result page of the newest entries, or of those of `days`.
    fileprivate func resultPage(_ number: Int, of days: ClosedRange<Day>? = nil) -> WebURL {
        var url = url
        if let days {
            url = url.adding([
                "date_from": days.lowerBound.compact, "date_to": days.upperBound.compact,
            ])
        }
        return url.adding(["per_page": "\(BasicFeed.pageSize)", "page": "\(number)"])
    }
}

/// Requests the result pages of APOD Basic that hold a range of days, newest first.
///
/// A result page covers the days from that of its oldest element to ``newestUncovered``; the last one covers all days
/// up to there. From the first page on that is out of order, each covers only its newest day: the others may follow.
///
/// An entry that a ``DecodedResponse`` moves is delivered under the day of its post, and does not cover the day under which
/// it is listed: the next page may begin with the right entry of that day.
private struct BasicPager: FeedPager {
    private let days: ClosedRange<Day>
    private let client: FeedClient
    /// The newest day of the requested range; page numbers count from there.
    private var upperBound: Day
    private var pageNumber = 1
    private var isDone = false
    /// Whether all elements so far were newest first.
    private var isOrdered = true
    /// The days of delivered entries and rejections.
    private var knownDays: Set<Day> = []
    /// The newest day that no result page has covered yet.
    private var newestUncovered: Day

    init(over days: ClosedRange<Day>, client: FeedClient) {
        self.days = days
        self.client = client
        upperBound = days.upperBound
        newestUncovered = days.upperBound
    }

    mutating func next() async throws(FeedError) -> FeedPage? {
        while !isDone {
            let url = client.resultPage(pageNumber, of: days.lowerBound...upperBound)
            guard let response = try await response(from: url) else { return remainder() }
            if response.isEmpty {
                try checkEnd(response)
                return remainder()
            }
            let newDays = Set(response.days).subtracting(knownDays)
            if !newDays.isEmpty { return page(of: response, newDays: newDays) }
            // Past the end, some servers return the first page again.
            guard try hasMoreAfterRepetition(response) else { return remainder() }
            restart(from: newestUncovered)
        }
        return nil
    }

    /// Requests older days, with a first page of their own.
    private mutating func restart(from newest: Day) {
        (upperBound, pageNumber) = (newest, 1)
    }

    /// Whether older days may follow a page without new days.
    ///
    /// A server that ignores page numbers alone has more: after a full first page, or by its own count of pages.
    ///
    /// - Throws: ``FeedError/unusable(_:)`` if it is the first page of a request: then the server repeats it forever.
    private func hasMoreAfterRepetition(_ response: DecodedResponse) throws(FeedError) -> Bool {
        guard pageNumber > 1 else {
            let reason = response.rejections.first?.reason ?? "it repeats earlier pages"
            throw .unusable("\(response.url) returned no new entry: \(reason)")
        }
        let isAfterFullPage = pageNumber == 2 && response.days.count >= BasicFeed.pageSize
        return isAfterFullPage || pageNumber <= response.pageCount ?? 0
    }

    /// Requests the result page at `url`; returns `nil` if the server refuses the page number as past the end.
    private func response(from url: WebURL) async throws(FeedError) -> DecodedResponse? {
        do {
            return try await client.get(url, days: days)
        } catch .transfer(.refused(_, 400, let body))
            where pageNumber > 1 && ServerError(body: body)?.code == "rest_post_invalid_page_number"
        {
            return nil
        }
    }

    /// - Throws: ``FeedError/unusable(_:)`` unless the totals say that an empty result page is the last.
    private func checkEnd(_ response: DecodedResponse) throws(FeedError) {
        let isEnd =
            pageNumber == 1 ? response.elementCount == 0 : pageNumber > response.pageCount ?? 0
        guard !isEnd else { return }
        let total = response.elementCount.map { "a total of \($0)" } ?? "no total"
        throw .unusable("\(response.url) returned an empty page with \(total)")
    }

    /// Returns the last result page, of the remaining days without entries; `nil` if no day remains.
    private mutating func remainder() -> FeedPage? {
        isDone = true
        guard isOrdered, days.contains(newestUncovered) else { return nil }
        return FeedPage(entries: [], covered: days.lowerBound...newestUncovered)
    }

    /// Makes a result page of `newDays`, at least one, and prepares the next request.
    ///
    /// The other days of `response` are repetitions: if NASA publishes an entry between two requests, the second
    /// response begins with the last element of the first.
    private mutating func page(of response: DecodedResponse, newDays: Set<Day>) -> FeedPage {
        let isLast = !response.isCut && response.pageCount.map { pageNumber >= $0 } ?? false
        let oldest = newDays.min() ?? newestUncovered
        let newest = newDays.max() ?? newestUncovered
        isOrdered = isOrdered && response.isDescending && newest <= newestUncovered
        let lowerBound = isLast ? days.lowerBound : oldest
        let page = FeedPage(
            entries: response.entries.filter { !knownDays.contains($0.day) }
                .sorted { $0.day > $1.day },
            rejections: response.rejections,
            covered: isOrdered ? lowerBound...newestUncovered : newest...newest)
        knownDays.formUnion(newDays)
        knownDays.formUnion(page.entries.map(\.day))
        if isOrdered { newestUncovered = oldest.advanced(by: -1) }
        isDone = isLast || (isOrdered && oldest == days.lowerBound)
        if response.isCut, isOrdered, !isDone {
            // The server sent more elements than were decoded: the next page number would skip the others.
            restart(from: newestUncovered)
        } else {
            pageNumber += 1
        }
        return page
    }
}
