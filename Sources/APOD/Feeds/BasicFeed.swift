package import Transfer

/// Requests entries from APOD Basic, which is NASA's API since 2026 and made with WordPress, or from a compatible server.
package struct BasicFeed: Feed {
    /// The path of NASA's feed.
    static let path = "/wp-json/wp/v2/apod-basic"
    /// The most elements that NASA sends in a result page, whatever number is requested.
    package static let pageSize = 25
    /// The most elements that any server with WordPress sends in a result page.
    private static let maximumPageSize = 100

    private let client: FeedClient

    /// Creates the feed at a URL of the user; if the URL has no path, it gets that of NASA's feed.
    package init(at url: WebURL, request: @escaping FeedRequest) {
        client = FeedClient(
            feedURL: url.ofFeed(defaultPath: Self.path), route: .api,
            elementLimit: Self.maximumPageSize, request: request)
    }

    package var kind: FeedKind { .basic }
    package var route: Route { .api }

    package func newestPage() async throws(FeedError) -> FeedPage {
        try await client.get(resultPageURL()).newestPage()
    }

    package func entry(of day: Day) async throws(FeedError) -> Entry {
        // NASA lists two entries under one of these days, and its URL of that day has only one of the two.
        let misfiled = Day.misfiled.own...Day.misfiled.listed
        let url =
            misfiled.contains(day)
            ? resultPageURL(of: misfiled) : client.feedURL.appending(day.compact)
        do {
            return try await client.get(url).entry(of: day)
        } catch .transfer(.refused(_, 404, let body))
            where ServerError(body: body)?.code == "apod_basic_not_found"
        {
            throw .notPublished(day)
        }
    }

    /// Requests the newest entries of `days`; the result page covers the days from its oldest entry on.
    ///
    /// - Throws: ``FeedError/unusable(_:)`` if the entries are not in order, because entries between them may be missing.
    ///   The caller can request the days one by one.
    package func newestPage(of days: ClosedRange<Day>) async throws(FeedError) -> FeedPage {
        let response = try await client.get(resultPageURL(of: days), days: days)
        guard response.listsNewestFirst, let oldest = response.listedDays.last else {
            // An empty list may be an error of the server, unless the server also says that there are 0 elements in all.
            let isEmpty = response.entries.isEmpty && response.rejections.isEmpty
            if isEmpty, response.elementCount == 0 { return response.page(covering: days) }
            let reason = response.rejections.first?.reason ?? "the list is empty or not in order"
            throw .unusable("\(response.url) returned no entries of these days: \(reason)")
        }
        // The server need not send the number of result pages.
        let hasAllDays = if let pageCount = response.pageCount { pageCount <= 1 } else { false }
        return response.page(covering: (hasAllDays ? days.lowerBound : oldest)...days.upperBound)
    }

    /// The URL of the first result page of all entries, or of the entries of `days`, newest first.
    ///
    /// A second page is never requested, because NASA may publish an entry between two requests, which shifts the pages.
    private func resultPageURL(of days: ClosedRange<Day>? = nil) -> WebURL {
        var url = client.feedURL
        if let days {
            url = url.adding([
                "date_from": days.lowerBound.compact, "date_to": days.upperBound.compact,
            ])
        }
        return url.adding(["per_page": "\(Self.pageSize)", "page": "1"])
    }
}
