package import Transfer

/// The API `planetary/apod`, NASA's until ``BasicFeed`` replaced it in 2026, and those compatible with it.
///
/// A server answers a range with all its entries, or refuses it: then its days are requested one by one.
package struct V1Feed: Feed {
    /// The days of one request.
    private static let chunkSize = 60

    private let client: FeedClient

    /// The user's `url` may lack a path, and have a query with the key of the server, which each request gets.
    package init(at url: WebURL, request: @escaping FeedRequest) {
        client = FeedClient(
            url: url.ofFeed(defaultPath: "/planetary/apod"), route: .api,
            // A server that ignores the range may send the whole archive.
            elementLimit: 400, request: request)
    }

    package var kind: FeedKind { .v1 }
    package var route: Route { .api }

    package func newest() async throws(FeedError) -> FeedPage {
        try await client.get(url()).newest()
    }

    package func entry(of day: Day) async throws(FeedError) -> Entry {
        do {
            return try await client.get(url(of: day...day)).entry(of: day)
        } catch .transfer(let error) where Self.isUnpublished(day, by: error) {
            throw .notPublished(day)
        }
    }

    /// Whether a failed request says that nothing is published on `day`, or that the newest day is before it.
    private static func isUnpublished(_ day: Day, by error: TransferError) -> Bool {
        guard case .refused(_, let status, let body) = error else { return false }
        let message = ServerError(body: body)?.message ?? ""
        if status == 404 { return message.hasPrefix("No data available") }
        return status == 400 && newestDay(in: message).map { $0 < day } ?? false
    }

    /// The newest day that a message names, 2026-10-05 in "Date must be between Jun 16, 1995 and Oct 05, 2026.".
    private static func newestDay(in message: String) -> Day? {
        guard message.contains("must be between") else { return nil }
        let date = message.split(separator: " ").suffix(3).joined(separator: " ")
        return DateInName(startOf: date.utf8, isTitle: true)?.day
    }

    package func newest(of days: ClosedRange<Day>) async throws(FeedError) -> FeedPage {
        let first = max(days.lowerBound, days.upperBound.advanced(by: 1 - Self.chunkSize))
        let chunk = first...days.upperBound
        let response = try await client.get(url(of: chunk), days: chunk)
        // An empty list may be an error of the server; the refusal of a single day is certain.
        guard !response.days.isEmpty else {
            let reason = response.rejections.first?.reason ?? "the list is empty"
            throw .unusable("\(response.url) returned no entry: \(reason)")
        }
        return response.page(covering: chunk)
    }

    /// The URL of a request for `days`, or for the newest one.
    private func url(of days: ClosedRange<Day>? = nil) -> WebURL {
        var url = client.url
        if let days, days.lowerBound == days.upperBound {
            url = url.adding(["date": "\(days.lowerBound)"])
        } else if let days {
            url = url.adding(["start_date": "\(days.lowerBound)", "end_date": "\(days.upperBound)"])
        }
        // With the still pictures of videos; the capital letter is that of Python, in which NASA's server is written.
        return url.adding(["thumbs": "True"])
    }
}
