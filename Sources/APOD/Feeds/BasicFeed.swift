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
        try await client.get(client.resultPage()).newest()
    }

    package func entry(of day: Day) async throws(FeedError) -> Entry {
        do {
            // The URL of a day has one entry, the list both of a doubled day.
            return try await client.get(
                Day.misfiled.contains(day)
                    ? client.resultPage(of: Day.misfiled) : client.url.appending(day.compact)
            ).entry(of: day)
        } catch .transfer(.refused(_, 404, let body))
            where ServerError(body: body)?.code == "apod_basic_not_found"
        {
            throw .notPublished(day)
        }
    }

    /// The result page covers the days from that of its last element on; one that is out of order covers none, so that its
    /// days are requested in another way.
    package func newest(of days: ClosedRange<Day>) async throws(FeedError) -> FeedPage {
        let response = try await client.get(client.resultPage(of: days), days: days)
        guard response.isDescending, let oldest = response.days.last else {
            // An empty list may be an error of the server, unless its total is zero, too.
            if response.isEmpty, response.elementCount == 0 { return response.page(covering: days) }
            let reason = response.rejections.first?.reason ?? "the list is empty or not in order"
            throw .unusable("\(response.url) returned no entries of these days: \(reason)")
        }
        let isLast = response.pageCount.map { $0 <= 1 } ?? false
        return response.page(covering: (isLast ? days.lowerBound : oldest)...days.upperBound)
    }
}

extension FeedClient {
    /// The URL of the first result page of all entries, or of those of `days`, newest first.
    ///
    /// No second page is requested, but the first one of the older days: between two requests, NASA may publish an entry.
    fileprivate func resultPage(of days: ClosedRange<Day>? = nil) -> WebURL {
        var url = url
        if let days {
            url = url.adding([
                "date_from": days.lowerBound.compact, "date_to": days.upperBound.compact,
            ])
        }
        return url.adding(["per_page": "\(BasicFeed.pageSize)", "page": "1"])
    }
}
