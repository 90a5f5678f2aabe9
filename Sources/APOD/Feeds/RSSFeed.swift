internal import Transfer

/// Requests entries from NASA's RSS feed, the second ``Route``; they have the same fields as those of ``BasicFeed``.
///
/// Without a query, the feed has about the newest 30 days. With `?year=2026&month=9`, it has the days of that month.
struct RSSFeed: Feed {
    /// The maximum size of a response, in bytes; parsing takes many times as much memory.
    static let maximumSize = 4 << 20
    /// The maximum number of items in a response: more than three times the days of a month.
    private static let itemLimit = 100

    private let client: FeedClient

    /// Creates the feed on the host of the API at `upstream`.
    ///
    /// This fails if the path of the API is not that of NASA's API, because such a host may have no RSS feed.
    init?(besideAPIAt upstream: WebURL, request: @escaping FeedRequest) {
        guard ["", BasicFeed.path].contains(upstream.pathWithoutFinalSlashes) else { return nil }
        client = FeedClient(
            feedURL: upstream.at("/feed/apod-basic/", query: upstream.query), route: .rss,
            elementLimit: Self.itemLimit, request: request)
    }

    var kind: FeedKind { .basic }
    var route: Route { .rss }

    func newestPage() async throws(FeedError) -> FeedPage {
        try await client.get(client.feedURL).newestPage()
    }

    /// Requests the entries of the month of the last day.
    func newestPage(of days: ClosedRange<Day>) async throws(FeedError) -> FeedPage {
        let month = Month(of: days.upperBound)
        let covered = max(days.lowerBound, month.first)...days.upperBound
        let url = client.feedURL.adding([
            "year": "\(month.first.year)", "month": "\(month.first.month)",
        ])
        do throws(FeedError) {
            let response = try await client.get(url, days: month.days)
            // A server that ignores the query sends its newest entries, whose days were not requested.
            if response.entries.isEmpty, let rejection = response.rejections.first {
                throw .unusable("\(url) returned no valid entry: \(rejection.reason)")
            }
            return response.page(covering: covered)
        } catch .transfer(.refused(_, 404, _)) {
            // WordPress may answer a request for a month without entries in this way.
            return FeedPage(entries: [], covered: covered)
        }
    }
}
