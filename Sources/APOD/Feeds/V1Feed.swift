package import Transfer

/// The API `planetary/apod`, NASA's until 2026, and those compatible with it.
package struct V1Feed: Feed {
    private let client: FeedClient

    /// The user's `url` may lack a path; `apiKey` is sent with each request, and hidden in errors.
    package init(at url: WebURL, apiKey: String?, request: @escaping FeedRequest) {
        client = FeedClient(
            url, defaultPath: "/planetary/apod", elementLimit: 400, apiKey: apiKey,
            request: request)
    }

    package var kind: FeedKind { .v1 }

    package func newest() async throws(FeedError) -> FeedPage {
        try await client.get(client.url.adding(["thumbs": "True"])).newest()
    }

    package func entry(of day: Day) async throws(FeedError) -> Entry {
        do {
            return try await client.get(client.url(of: day...day)).entry(of: day)
        } catch .transfer(let error) {
            switch V1Refusal(error) {
            case .notPublished: throw .notPublished(day)
            case .tooNew(let newest) where newest < day: throw .notPublished(day)
            default: throw .transfer(error)
            }
        }
    }

    package func pager(
        over days: ClosedRange<Day>, permit: @escaping RequestPermit
    ) -> any FeedPager {
        V1Pager(over: days, client: client, permit: permit)
    }
}

extension FeedClient {
    fileprivate func url(of days: ClosedRange<Day>) -> WebURL {
        guard days.count > 1 else {
            return url.adding(["date": "\(days.lowerBound)", "thumbs": "True"])
        }
        return url.adding([
            "start_date": "\(days.lowerBound)", "end_date": "\(days.upperBound)", "thumbs": "True",
        ])
    }
}

/// Requests a range of days from a v1 feed in chunks.
///
/// One bad day makes the server refuse the whole chunk, which is then requested in halves until the bad day
/// is alone.
private actor V1Pager: FeedPager {
    private static let chunkSize = 60
    /// The number of bad days in a row that counts as an outage of the server.
    private static let badDayLimit = 3

    private let client: FeedClient
    private let permit: RequestPermit
    /// The chunks to request, the newest last.
    private var chunks: [ClosedRange<Day>]
    /// The newest day of the server; `nil` until a refusal names it.
    private var newest: Day?
    private var badDays = 0

    init(over days: ClosedRange<Day>, client: FeedClient, permit: @escaping RequestPermit) {
        self.permit = permit
        self.client = client
        let newestFirst = sequence(first: days.upperBound) { end in
            end.number - Self.chunkSize < days.lowerBound.number
                ? nil : end.advanced(by: -Self.chunkSize)
        }.map { end in max(days.lowerBound, end.advanced(by: 1 - Self.chunkSize))...end }
        chunks = newestFirst.reversed()
    }

    func next() async throws(FeedError) -> FeedPage? {
        while !chunks.isEmpty, await permit(), let days = chunks.popLast() {
            if let page = try await page(of: days) { return page }
        }
        return nil
    }

    /// Requests `days`.
    ///
    /// - Returns: `nil` if ``chunks`` now has other chunks for these days.
    private func page(of days: ClosedRange<Day>) async throws(FeedError) -> FeedPage? {
        let end = min(days.upperBound, newest ?? days.upperBound)
        guard days.lowerBound <= end else { return FeedPage(entries: [], covered: days) }
        let requested = days.lowerBound...end
        let url = client.url(of: requested)
        do {
            let response = try await client.get(url, days: requested)
            return try page(of: days, in: response)
        } catch .transfer(let error) {
            return try page(of: days, requested: requested, refused: error, by: url)
        }
    }

    private func page(
        of days: ClosedRange<Day>, in response: DecodedResponse
    ) throws(FeedError) -> FeedPage? {
        guard !response.isCut else {
            throw .unusable("\(response.url) returned more entries than were requested")
        }
        // An empty list may be an error of the server; the refusal of a single day is certain.
        if response.isEmpty, days.count > 1 { return split(days) }
        badDays = 0
        return FeedPage(
            entries: response.entries.sorted { $0.day > $1.day }, rejections: response.rejections,
            covered: days)
    }

    private func page(
        of days: ClosedRange<Day>, requested: ClosedRange<Day>, refused error: TransferError,
        by url: WebURL
    ) throws(FeedError) -> FeedPage? {
        switch V1Refusal(error) {
        case .tooNew(let newest) where newest < requested.upperBound:
            self.newest = newest
            chunks.append(days)
            return nil
        case .notPublished where days.count > 1, .serverError where days.count > 1:
            return split(days)
        case .notPublished:
            badDays = 0
            return FeedPage(entries: [], covered: days)
        case .serverError where badDays + 1 < Self.badDayLimit:
            badDays += 1
            let rejection = EntryRejection(
                day: days.lowerBound, reason: "\(url) returned an internal server error")
            return FeedPage(entries: [], rejections: [rejection], covered: days)
        default:
            throw .transfer(error)
        }
    }

    /// Adds the halves of `days` to ``chunks``.
    private func split(_ days: ClosedRange<Day>) -> FeedPage? {
        let middle = days.lowerBound.advanced(by: days.count / 2)
        chunks.append(days.lowerBound...middle.advanced(by: -1))
        chunks.append(middle...days.upperBound)
        return nil
    }
}
