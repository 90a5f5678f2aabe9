internal import JSON
package import Transfer

/// The API APOD Basic, NASA's since 2026, and those compatible with it.
package struct BasicFeed: Feed {
    /// The path of NASA's feed.
    static let path = "/wp-json/wp/v2/apod-basic"

    private let client: FeedClient

    /// The user's `url` may lack a path.
    package init(at url: WebURL, request: @escaping FeedRequest) {
        client = FeedClient(url, defaultPath: Self.path, elementLimit: 25, request: request)
    }

    package var kind: FeedKind { .basic }

    package func newest() async throws(FeedError) -> FeedPage {
        try await client.get(client.url.adding(["per_page": "25", "page": "1"])).newest()
    }

    package func entry(of day: Day) async throws(FeedError) -> Entry {
        do {
            let response = try await client.get(client.url.appending(day.compact))
            if response.movedDays.isEmpty { return try response.entry(of: day) }
        } catch .transfer(.refused(_, 404, let body))
            where ServerError(body: body)?.code == "apod_basic_not_found"
        {}
        return try await misfiledEntry(of: day)
    }

    /// Returns the entry of a day that NASA lists under one near it, or beside another one.
    private func misfiledEntry(of day: Day) async throws(FeedError) -> Entry {
        let days = day.advanced(by: -3)...day.advanced(by: 3)
        let url = client.url.adding([
            "date_from": days.lowerBound.compact, "date_to": days.upperBound.compact,
            "per_page": "25", "page": "1",
        ])
        guard let list = try? await client.get(url, days: days), !list.movedDays.isEmpty,
            let entry = list.entries.first(where: { $0.day == day })
        else { throw .notPublished(day) }
        return entry
    }

    package func pager(
        over days: ClosedRange<Day>, permit: @escaping RequestPermit
    ) -> any FeedPager {
        BasicPager(over: days, client: client, permit: permit)
    }
}

/// Requests the result pages of APOD Basic that hold a range of days, newest first.
///
/// A result page covers the days from its oldest element to the end of the one before it; the last covers all
/// remaining days. One that is out of order covers only its newest day, as does each one after it.
private actor BasicPager: FeedPager {
    /// The elements of a result page, at most, whatever number is requested.
    private static let pageSize = 25
    private let days: ClosedRange<Day>
    private let client: FeedClient
    private let permit: RequestPermit
    /// The newest day of the requested range; page numbers count from there.
    private var upperBound: Day
    private var pageNumber = 1
    private var isDone = false
    /// Whether all elements so far were newest first.
    private var isOrdered = true
    private var knownDays: Set<Day> = []
    /// The ``DecodedResponse/doubtfulElement`` of the last result page, to be decoded with the next one.
    private var heldElement: RawJSON?
    /// The newest day that no result page has covered yet.
    private var newestUncovered: Day

    init(over days: ClosedRange<Day>, client: FeedClient, permit: @escaping RequestPermit) {
        self.permit = permit
        self.days = days
        self.client = client
        upperBound = days.upperBound
        newestUncovered = days.upperBound
    }

    func next() async throws(FeedError) -> FeedPage? {
        guard !isDone, await permit() else { return nil }
        let url = client.url.adding([
            "date_from": days.lowerBound.compact, "date_to": upperBound.compact,
            "per_page": "25", "page": String(pageNumber),
        ])
        guard let response = try await response(from: url) else { return remainder() }
        if response.isEmpty {
            try checkEnd(response)
            return remainder()
        }
        guard response.days.contains(where: { !knownDays.contains($0) }) else {
            return try await next(afterRepetition: response)
        }
        return page(of: response)
    }

    /// Returns what follows a page without new days: past the end, some servers return the first page again.
    ///
    /// A server that ignores page numbers alone has more days: after a full first page, the next request is for
    /// those below it.
    ///
    /// - Throws: ``FeedError/unusable(_:)`` if it is the first page of a request.
    private func next(
        afterRepetition response: DecodedResponse
    ) async throws(FeedError) -> FeedPage? {
        guard pageNumber > 1 else {
            let reason = response.rejections.first?.reason ?? "it repeats earlier pages"
            throw .unusable("\(response.url) returned no new entry: \(reason)")
        }
        let isFull = response.days.count >= Self.pageSize
        if pageNumber > max(response.pageCount ?? 0, isFull ? 2 : 1) { return remainder() }
        (upperBound, pageNumber) = (newestUncovered, 1)
        return try await next()
    }

    /// Requests the result page at `url`, with ``heldElement``; `nil` if there are neither.
    private func response(from url: WebURL) async throws(FeedError) -> DecodedResponse? {
        do {
            return try await client.get(url, days: days, precedingElement: heldElement)
        } catch .transfer(.refused(_, 400, let body))
            where pageNumber > 1 && ServerError(body: body)?.code == "rest_post_invalid_page_number"
        {
            return heldElement.map {
                DecodedResponse(
                    [$0], isCut: false, from: url, by: client.decoder, headers: [:], days: days)
            }
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
    private func remainder() -> FeedPage? {
        isDone = true
        guard isOrdered, days.contains(newestUncovered) else { return nil }
        return FeedPage(entries: [], covered: days.lowerBound...newestUncovered)
    }

    /// Makes a result page of a response with new days, and prepares the next request.
    private func page(of response: DecodedResponse) -> FeedPage {
        let isLast = !response.isCut && response.pageCount.map { pageNumber >= $0 } ?? false
        // Days that were known before come again if an entry is published meanwhile: each result page then begins with
        // the last element of the one before it.
        var newDays = Set(response.days).subtracting(knownDays)
        // Whether the last element is the entry of its day is known with the next result page.
        heldElement = nil
        if !isLast, newDays.count > 1, let last = response.days.last,
            let element = response.doubtfulElement
        {
            heldElement = element
            newDays.remove(last)
        }
        let movedDays = response.movedDays.subtracting(knownDays)
        let oldest = newDays.min() ?? newestUncovered
        let newest = newDays.max() ?? newestUncovered
        isOrdered = isOrdered && response.isDescending && newest <= newestUncovered
        let lowerBound = isLast ? days.lowerBound : oldest
        let page = FeedPage(
            entries: response.entries.filter { newDays.union(movedDays).contains($0.day) }
                .sorted { $0.day > $1.day },
            rejections: response.rejections,
            covered: isOrdered ? lowerBound...newestUncovered : newest...newest)
        knownDays.formUnion(newDays.union(movedDays))
        if isOrdered { newestUncovered = oldest.advanced(by: -1) }
        isDone = isLast || (isOrdered && oldest == days.lowerBound)
        pageNumber += 1
        // This server has longer result pages, so that the next number would skip elements: count anew.
        if response.isCut, isOrdered, !isDone { (upperBound, pageNumber) = (newestUncovered, 1) }
        return page
    }
}
