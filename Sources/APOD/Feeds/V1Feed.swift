package import Transfer

/// NASA's feed until 2026, `planetary/apod`, and compatible feeds.
package struct V1Feed: Feed {
    private let client: FeedClient

    /// The user chose `url`; a server without a path is enough.
    ///
    /// The key is sent with each request, and hidden in errors.
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
    /// The URL of `days` in a v1 feed.
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
/// One bad day fails the whole chunk: such a chunk is requested again in halves until the bad day is
/// alone.
private actor V1Pager: FeedPager {
    /// The number of days in a chunk.
    private static let chunkSize = 60
    /// So many bad days in a row are an outage of the server.
    private static let badDayLimit = 3

    private let client: FeedClient
    private let permit: RequestPermit
    /// The chunks to request, the newest last.
    private var chunks: [ClosedRange<Day>]
    /// The newest day, once the server has named it.
    private var newest: Day?
    private var badDays = 0

    init(over days: ClosedRange<Day>, client: FeedClient, permit: @escaping RequestPermit) {
        self.permit = permit
        self.client = client
        let ends = sequence(first: days.upperBound) { end in
            end.number - Self.chunkSize < days.lowerBound.number
                ? nil : end.advanced(by: -Self.chunkSize)
        }
        chunks = ends.map { max(days.lowerBound, $0.advanced(by: 1 - Self.chunkSize))...$0 }
            .reversed()
    }

    func next() async throws(FeedError) -> FeedPage? {
        while !chunks.isEmpty, await permit(), let days = chunks.popLast() {
            if let page = try await page(of: days) { return page }
        }
        return nil
    }

    /// Requests `days`; returns `nil` if other chunks are to be requested instead.
    private func page(of days: ClosedRange<Day>) async throws(FeedError) -> FeedPage? {
        let end = min(days.upperBound, newest ?? days.upperBound)
        guard days.lowerBound <= end else { return FeedPage(entries: [], covered: days) }
        let requested = days.lowerBound...end
        let url = client.url(of: requested)
        do {
            let response = try await client.get(url, days: requested)
            return try page(of: days, response)
        } catch .transfer(let error) {
            return try page(of: days, requested: requested, refused: error, by: url)
        }
    }

    private func page(
        of days: ClosedRange<Day>, _ response: DecodedResponse
    ) throws(FeedError) -> FeedPage? {
        guard !response.isCut else {
            throw .unusable("\(response.url) returned more entries than were requested")
        }
        // The refusal of a single day is more certain than an empty list.
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

    /// Replaces `days` by its halves.
    private func split(_ days: ClosedRange<Day>) -> FeedPage? {
        let middle = days.lowerBound.advanced(by: days.count / 2)
        chunks.append(days.lowerBound...middle.advanced(by: -1))
        chunks.append(middle...days.upperBound)
        return nil
    }
}
