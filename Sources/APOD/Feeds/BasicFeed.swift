package import Transfer

/// NASA's feed since 2026, APOD Basic, a list of WordPress; and those compatible with it.
package struct BasicFeed: Feed {
    /// The path of NASA's feed.
    static let path = "/wp-json/wp/v2/apod-basic"
    /// The elements of a result page of NASA, which sends no more whatever is requested.
    package static let pageSize = 25
    /// The most elements of a result page of any WordPress.
    private static let largestPage = 100

    private let client: FeedClient

    /// The user's `url` may lack a path.
    package init(at url: WebURL, request: @escaping FeedRequest) {
        client = FeedClient(
            url, defaultPath: Self.path, elementLimit: Self.largestPage, request: request)
    }

    package var kind: FeedKind { .basic }
    package var route: Route { .api }

    package func newest() async throws(FeedError) -> FeedPage {
        try await client.get(client.resultPage(1)).newest()
    }

    package func entry(of day: Day) async throws(FeedError) -> Entry {
        do {
            // The URL of a day has one entry, the list both of a doubled day.
            return try await client.get(
                Day.misfiled.contains(day)
                    ? client.resultPage(1, of: Day.misfiled) : client.url.appending(day.compact)
            ).entry(of: day)
        } catch .transfer(.refused(_, 404, let body))
            where ServerError(body: body)?.code == "apod_basic_not_found"
        {
            throw .notPublished(day)
        }
    }

    package func pages(over days: ClosedRange<Day>) -> any FeedPages {
        BasicPages(over: days, client: client)
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
/// up to there. A page that is out of order, or has no new day, ends the pages with an error: its days are requested in
/// another way.
///
/// A misfiled entry does not cover the day under which it is listed: the next page may begin with the right entry of that day.
private struct BasicPages: FeedPages {
    private let days: ClosedRange<Day>
    private let client: FeedClient
    private var pageNumber = 1
    /// The newest day that no result page has covered yet; `nil` after the last page, and after an error.
    private var newestUncovered: Day?

    init(over days: ClosedRange<Day>, client: FeedClient) {
        self.days = days
        self.client = client
        newestUncovered = days.upperBound
    }

    mutating func next() async throws(FeedError) -> FeedPage? {
        guard let newest = newestUncovered else { return nil }
        newestUncovered = nil
        guard let response = try await response(from: client.resultPage(pageNumber, of: days)),
            try !isEnd(response)
        else { return FeedPage(entries: [], covered: days.lowerBound...newest) }
        // If NASA publishes an entry between two requests, the second response begins with the last element of the first.
        let newDays = response.days.filter { $0 <= newest }
        guard response.isDescending, let oldest = newDays.last else {
            let reason =
                response.rejections.first?.reason ?? "it repeats earlier pages, or is not in order"
            throw .unusable("\(response.url) returned no new entry: \(reason)")
        }
        let isLast =
            response.pageCount.map { pageNumber >= $0 } ?? false || oldest == days.lowerBound
        pageNumber += 1
        if !isLast { newestUncovered = oldest.advanced(by: -1) }
        var page = response.page(covering: (isLast ? days.lowerBound : oldest)...newest)
        page.entries.removeAll { $0.day > newest }
        return page
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

    /// Whether the response is empty, as after the last page.
    ///
    /// - Throws: ``FeedError/unusable(_:)`` unless the totals permit that it is.
    private func isEnd(_ response: DecodedResponse) throws(FeedError) -> Bool {
        guard response.isEmpty else { return false }
        let isEnd =
            pageNumber == 1 ? response.elementCount == 0 : pageNumber > response.pageCount ?? 0
        if isEnd { return true }
        let total = response.elementCount.map { "a total of \($0)" } ?? "no total"
        throw .unusable("\(response.url) returned an empty page with \(total)")
    }
}
