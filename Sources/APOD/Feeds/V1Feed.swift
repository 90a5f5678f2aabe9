package import Transfer

/// The API `planetary/apod`, NASA's until ``BasicFeed`` replaced it in 2026, and those compatible with it.
///
/// A server answers a range with all its entries, or refuses it: then its days are requested one by one.
package struct V1Feed: Feed {
    private let client: FeedClient

    /// The user's `url` may lack a path, and have a query with the key of the server, which each request gets.
    package init(at url: WebURL, request: @escaping FeedRequest) {
        // A server that ignores the range may send the whole archive.
        client = FeedClient(
            url, defaultPath: "/planetary/apod", elementLimit: 400, request: request)
    }

    package var kind: FeedKind { .v1 }
    package var route: Route { .api }

    /// Requests the still pictures of videos, too; NASA's server is in Python, which writes a capital letter.
    fileprivate static let thumbnails: KeyValuePairs = ["thumbs": "True"]

    package func newest() async throws(FeedError) -> FeedPage {
        try await client.get(client.url.adding(Self.thumbnails)).newest()
    }

    package func entry(of day: Day) async throws(FeedError) -> Entry {
        do {
            return try await client.get(client.url(of: day...day)).entry(of: day)
        } catch .transfer(let error) {
            throw Self.isUnpublished(day, by: error)
                ? FeedError.notPublished(day) : .transfer(error)
        }
    }

    /// Whether a failed request says that nothing is published on `day`, or that the newest day is before it.
    private static func isUnpublished(_ day: Day, by error: TransferError) -> Bool {
        guard case .refused(_, let status, let body) = error else { return false }
        let message = ServerError(body: body)?.message ?? ""
        if status == 404 { return message.hasPrefix("No data available") }
        return status == 400 && newest(in: message).map { $0 < day } ?? false
    }

    /// Parses the last date of a message such as "must be between Jun 16, 1995 and Oct 05, 2026".
    private static func newest(in message: String) -> Day? {
        guard message.contains("must be between") else { return nil }
        let date = message.split(separator: " ").suffix(3).joined(separator: " ")
        return DateInName(startOf: date.utf8, isTitle: true)?.day
    }

    /// The days of one request.
    private static let chunkSize = 60

    package func newest(of days: ClosedRange<Day>) async throws(FeedError) -> FeedPage {
        let start = days.upperBound.advanced(by: 1 - Self.chunkSize)
        let chunk = max(days.lowerBound, start)...days.upperBound
        let response = try await client.get(client.url(of: chunk), days: chunk)
        // An empty list may be an error of the server; the refusal of a single day is certain.
        guard !response.days.isEmpty else {
            let reason = response.rejections.first?.reason ?? "the list is empty"
            throw .unusable("\(response.url) returned no entry: \(reason)")
        }
        return response.page(covering: chunk)
    }
}

extension FeedClient {
    fileprivate func url(of days: ClosedRange<Day>) -> WebURL {
        let (first, last) = ("\(days.lowerBound)", "\(days.upperBound)")
        let range =
            first == last
            ? url.adding(["date": first]) : url.adding(["start_date": first, "end_date": last])
        return range.adding(V1Feed.thumbnails)
    }
}
