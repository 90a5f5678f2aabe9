package import Transfer

/// NASA's feed since 2026, APOD Basic, a list of WordPress; and those compatible with it.
package struct BasicFeed: Feed {
    /// The path of NASA's feed.
    static let path = "/wp-json/wp/v2/apod-basic"
    /// NASA sends no more elements in a result page, whatever is requested.
    package static let pageSize = 25
    /// WordPress sends no more elements in a result page.
    private static let largestPage = 100

    private let client: FeedClient

    /// The user's `url` may lack a path.
    package init(at url: WebURL, request: @escaping FeedRequest) {
        client = FeedClient(
            url: url.ofFeed(defaultPath: Self.path), route: .api, elementLimit: Self.largestPage,
            request: request)
    }

    package var kind: FeedKind { .basic }
    package var route: Route { .api }

    package func newest() async throws(FeedError) -> FeedPage {
        try await client.get(resultPage()).newest()
    }

    package func entry(of day: Day) async throws(FeedError) -> Entry {
        // The URL of a day has one entry, while the list has both entries of a doubled day.
        let url =
            Day.misfiled.contains(day)
            ? resultPage(of: Day.misfiled) : client.url.appending(day.compact)
        do {
            return try await client.get(url).entry(of: day)
        } catch .transfer(.refused(_, 404, let body))
            where ServerError(body: body)?.code == "apod_basic_not_found"
        {
            throw .notPublished(day)
        }
    }

    /// The result page covers the days from its last element on.
    ///
    /// - Throws: ``FeedError/unusable(_:)`` also for a page that is not in order: its days are requested in another way.
    package func newest(of days: ClosedRange<Day>) async throws(FeedError) -> FeedPage {
        let response = try await client.get(resultPage(of: days), days: days)
        guard response.isDescending, let oldest = response.days.last else {
            // An empty list may be an error of the server, unless its total is zero, too.
            if response.isEmpty, response.elementCount == 0 { return response.page(covering: days) }
            let reason = response.rejections.first?.reason ?? "the list is empty or not in order"
            throw .unusable("\(response.url) returned no entries of these days: \(reason)")
        }
        let isLast = response.pageCount.map { $0 <= 1 } ?? false
        return response.page(covering: (isLast ? days.lowerBound : oldest)...days.upperBound)
    }

    /// The URL of the first result page of all entries, or of the entries of `days`, newest first.
    ///
    /// A second page is never requested, because NASA may publish an entry between two requests, which shifts the pages.
    private func resultPage(of days: ClosedRange<Day>? = nil) -> WebURL {
        var url = client.url
        if let days {
            url = url.adding([
                "date_from": days.lowerBound.compact, "date_to": days.upperBound.compact,
            ])
        }
        return url.adding(["per_page": "\(Self.pageSize)", "page": "1"])
    }
}
