package import Transfer

/// Requests entries from the API `planetary/apod`, called v1, or from a compatible server.
///
/// The API was NASA's until ``BasicFeed`` replaced it in 2026. A server sends all entries of a range of days, or refuses the
/// range; the caller can then request the days one by one.
package struct V1Feed: Feed {
    /// The most days in one request.
    private static let chunkSize = 60
    /// The maximum number of entries in a response; a server that ignores the range may send the whole archive.
    private static let elementLimit = 400

    private let client: FeedClient

    /// Creates the feed at a URL of the user; if the URL has no path, it gets that of NASA's API.
    ///
    /// Each request has the query of the URL, which may have a key for the server.
    package init(at url: WebURL, request: @escaping FeedRequest) {
        client = FeedClient(
            feedURL: url.ofFeed(defaultPath: "/planetary/apod"), route: .api,
            elementLimit: Self.elementLimit, request: request)
    }

    package var kind: FeedKind { .v1 }
    package var route: Route { .api }

    package func newestPage() async throws(FeedError) -> FeedPage {
        try await client.get(requestURL()).newestPage()
    }

    package func entry(of day: Day) async throws(FeedError) -> Entry {
        do {
            return try await client.get(requestURL(for: day...day)).entry(of: day)
        } catch .transfer(let error) where Self.isUnpublished(day, by: error) {
            throw .notPublished(day)
        }
    }

    /// Whether the server refused a request because nothing is published on `day`, or because its newest day is earlier.
    private static func isUnpublished(_ day: Day, by error: TransferError) -> Bool {
        guard case .refused(_, let status, let body) = error else { return false }
        let message = ServerError(body: body)?.message ?? ""
        switch status {
        case 404: return message.hasPrefix("No data available")
        case 400:
            guard let lastDay = newestDay(in: message) else { return false }
            return lastDay < day
        default: return false
        }
    }

    /// The newest day according to a server's message, such as "Date must be between Jun 16, 1995 and Oct 05, 2026.".
    private static func newestDay(in message: String) -> Day? {
        guard message.contains("must be between") else { return nil }
        let date = message.split(separator: " ").suffix(3).joined(separator: " ")
        return DateInName(startOf: date.utf8, of: .title)?.day
    }

    package func newestPage(of days: ClosedRange<Day>) async throws(FeedError) -> FeedPage {
        let first = max(days.lowerBound, days.upperBound.advanced(by: 1 - Self.chunkSize))
        let chunk = first...days.upperBound
        let response = try await client.get(requestURL(for: chunk), days: chunk)
        // An empty list may be an error of the server. Requests for single days show whether nothing is published.
        guard !response.listedDays.isEmpty else {
            let reason = response.rejections.first?.reason ?? "the list is empty"
            throw .unusable("\(response.url) returned no entry: \(reason)")
        }
        return response.page(covering: chunk)
    }

    /// The URL of the entries of `days`; without `days`, that of the newest entry.
    private func requestURL(for days: ClosedRange<Day>? = nil) -> WebURL {
        var url = client.feedURL
        if let days, days.lowerBound == days.upperBound {
            url = url.adding(["date": "\(days.lowerBound)"])
        } else if let days {
            url = url.adding(["start_date": "\(days.lowerBound)", "end_date": "\(days.upperBound)"])
        }
        // The entries then have the still pictures of videos. NASA's server, written in Python, expects the capital letter.
        return url.adding(["thumbs": "True"])
    }
}
