internal import Transfer

/// NASA's RSS feed, the second ``Route``: its items have the fields of ``BasicFeed``.
///
/// Without a query the feed has about the newest 30 days; with `?year=2026&month=9`, it has the days of that month.
struct RSSFeed: Feed {
    /// The maximum size of a response, in bytes: parsing it takes many times as much memory.
    static let maximumSize = 4 << 20
    /// More than twice the days of a month.
    private static let itemLimit = 100

    private let client: FeedClient

    /// The feed on the host of the API at `upstream`; `nil` if that API has another path than NASA's.
    init?(besideAPIAt upstream: WebURL, request: @escaping FeedRequest) {
        guard ["", BasicFeed.path].contains(upstream.pathWithoutFinalSlashes) else { return nil }
        client = FeedClient(
            url: upstream.at("/feed/apod-basic/", query: upstream.query), route: .rss,
            elementLimit: Self.itemLimit, request: request)
    }

    var kind: FeedKind { .basic }
    var route: Route { .rss }

    func newest() async throws(FeedError) -> FeedPage {
        try await client.get(client.url).newest()
    }

    /// Requests the month of the last day.
    func newest(of days: ClosedRange<Day>) async throws(FeedError) -> FeedPage {
        let month = Month(of: days.upperBound)
        let covered = max(days.lowerBound, month.first)...days.upperBound
        let url = client.url.adding([
            "year": "\(month.first.year)", "month": "\(month.first.month)",
        ])
        do throws(FeedError) {
            let response = try await client.get(url, days: month.days)
            // A server that ignores the query sends its newest days, which are all rejected.
            if response.entries.isEmpty, let rejection = response.rejections.first {
                throw .unusable("\(url) returned no valid entry: \(rejection.reason)")
            }
            return response.page(covering: covered)
        } catch .transfer(.refused(_, 404, _)) {
            // WordPress may refuse a month without an entry.
            return FeedPage(entries: [], covered: covered)
        }
    }
}
