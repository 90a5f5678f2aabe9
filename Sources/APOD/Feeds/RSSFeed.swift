package import Transfer

/// NASA's RSS feed of APOD, the route to its days while its API cannot be used.
///
/// An item has the fields of APOD Basic, but for a date that can be relied on: that is the one on the page of the day,
/// which each item has. Without a query the feed has about the newest 30 days; with one, those of a month.
package struct RSSFeed: Feed {
    static let path = "/feed/apod-basic/"
    /// More than twice the days of a month.
    private static let itemLimit = 100

    private let client: FeedClient

    /// The feed on the host of the API at `upstream`; `nil` if that has another path than NASA's.
    package init?(besideAPIAt upstream: WebURL, request: @escaping FeedRequest) {
        guard ["", BasicFeed.path].contains(upstream.pathWithoutFinalSlashes) else { return nil }
        client = FeedClient(
            upstream.at(Self.path, query: upstream.query), route: .rss,
            elementLimit: Self.itemLimit, request: request)
    }

    package var kind: FeedKind { .basic }
    package var route: Route { .rss }

    package func newest() async throws(FeedError) -> FeedPage {
        try await client.get(client.url).newest()
    }

    package func entry(of day: Day) async throws(FeedError) -> Entry {
        let month = try await client.month(of: day)
        if let entry = month.entries.first(where: { $0.day == day }) { return entry }
        guard let rejection = month.rejections.first(where: { $0.day == day }) else {
            throw .notPublished(day)
        }
        throw .unusable(rejection.reason)
    }

    package func newest(of days: ClosedRange<Day>) async throws(FeedError) -> FeedPage {
        var page = try await client.month(of: days.upperBound)
        page.covered = max(days.lowerBound, page.covered.lowerBound)...days.upperBound
        return page
    }
}

extension FeedClient {
    /// Requests the month of `day`; a feed without an entry in it may refuse it.
    fileprivate func month(of day: Day) async throws(FeedError) -> FeedPage {
        let month = Month(of: day).days
        let url = url.adding(["year": "\(day.year)", "month": "\(day.month)"])
        do throws(FeedError) {
            let response = try await get(url, days: month)
            // A server that ignores the query sends its newest days.
            if response.entries.isEmpty, let rejection = response.rejections.first {
                throw .unusable("\(url) returned no valid entry: \(rejection.reason)")
            }
            return response.page(covering: month)
        } catch .transfer(.refused(_, 404, _)) {
            return FeedPage(entries: [], covered: month)
        }
    }
}
