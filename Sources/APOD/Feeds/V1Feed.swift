package import Transfer

/// The API `planetary/apod`, NASA's until ``BasicFeed`` replaced it in 2026, and those compatible with it.
///
/// A server answers a range with all its entries, or refuses it: ``V1Refusal`` says why.
package struct V1Feed: Feed {
    private let client: FeedClient

    /// The user's `url` may lack a path, and have a query with the key of the server, which each request gets.
    package init(at url: WebURL, request: @escaping FeedRequest) {
        // A server that ignores the range may send the whole archive.
        client = FeedClient(
            url, defaultPath: "/planetary/apod", elementLimit: 400, request: request)
    }

    package var kind: FeedKind { .v1 }

    /// Requests the still pictures of videos, too; NASA's server is in Python, which writes a capital letter.
    fileprivate static let thumbnails: KeyValuePairs = ["thumbs": "True"]

    package func newest() async throws(FeedError) -> FeedPage {
        try await client.get(client.url.adding(Self.thumbnails)).newest()
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

    package func pages(over days: ClosedRange<Day>) -> FeedPages {
        FeedPages(V1Pager(over: days, client: client))
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

/// Requests a range of days from a v1 feed in chunks.
///
/// One bad day makes the server refuse the whole chunk, which is then requested in halves until the bad day
/// is alone.
private struct V1Pager: FeedPager {
    /// The days of one request.
    private static let chunkSize = 60
    /// The number of bad days in a row that counts as an outage of the server.
    private static let badDayLimit = 3

    private let client: FeedClient
    /// The chunks to request, the newest last.
    private var chunks: [ClosedRange<Day>]
    /// The newest day of the server; `nil` until a refusal names it.
    private var newest: Day?
    private var badDays = 0

    init(over days: ClosedRange<Day>, client: FeedClient) {
        self.client = client
        let newestFirst = sequence(first: days.upperBound) { end in
            end.number - Self.chunkSize < days.lowerBound.number
                ? nil : end.advanced(by: -Self.chunkSize)
        }.map { end in max(days.lowerBound, end.advanced(by: 1 - Self.chunkSize))...end }
        chunks = newestFirst.reversed()
    }

    mutating func next() async throws(FeedError) -> FeedPage? {
        while let days = chunks.last {
            chunks.removeLast()
            if let page = try await request(days) { return page }
        }
        return nil
    }

    /// Requests `days`, except those after the server's newest day: they count as covered without a request, because
    /// nothing is published there.
    ///
    /// - Returns: `nil` if ``chunks`` now has other chunks for these days.
    private mutating func request(_ days: ClosedRange<Day>) async throws(FeedError) -> FeedPage? {
        let end = min(days.upperBound, newest ?? days.upperBound)
        guard days.lowerBound <= end else { return FeedPage(entries: [], covered: days) }
        let requested = days.lowerBound...end
        let url = client.url(of: requested)
        let response: DecodedResponse
        do {
            response = try await client.get(url, days: requested)
        } catch .transfer(let error) {
            return try page(of: days, after: error, from: url, requested: requested)
        }
        // An empty list may be an error of the server; the refusal of a single day is certain.
        if response.isEmpty, days.count > 1 {
            split(days)
            return nil
        }
        badDays = 0
        return FeedPage(
            entries: response.entries.sorted { $0.day > $1.day }, rejections: response.rejections,
            covered: days)
    }

    /// Returns what a refusal says of `days`; `nil` if ``chunks`` now has other chunks for them.
    ///
    /// - Throws: The error if it concerns other days, too.
    private mutating func page(
        of days: ClosedRange<Day>, after error: TransferError, from url: WebURL,
        requested: ClosedRange<Day>
    ) throws(FeedError) -> FeedPage? {
        switch V1Refusal(error) {
        case .tooNew(let newest) where newest < requested.upperBound:
            self.newest = newest
            chunks.append(days)
            return nil
        case .notPublished where days.count > 1, .serverError where days.count > 1:
            split(days)
            return nil
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

    private mutating func split(_ days: ClosedRange<Day>) {
        let middle = days.lowerBound.advanced(by: days.count / 2)
        chunks.append(days.lowerBound...middle.advanced(by: -1))
        chunks.append(middle...days.upperBound)
    }
}

/// The meaning of a failed request to a v1 server.
enum V1Refusal: Hashable, Sendable {
    case notPublished
    /// A requested day is after the newest one that the server has.
    case tooNew(newest: Day)
    /// An internal error, which one bad day in a range can cause.
    case serverError
    case other

    init(_ error: TransferError) {
        guard case .refused(_, let status, let body) = error else {
            self = .other
            return
        }
        let message = ServerError(body: body)?.message ?? ""
        switch status {
        case 404 where message.hasPrefix("No data available"): self = .notPublished
        case 400: self = Self.newest(in: message).map(Self.tooNew) ?? .other
        case 500: self = .serverError
        default: self = .other
        }
    }

    /// Parses the last date of a message such as "must be between Jun 16, 1995 and Oct 05, 2026".
    private static func newest(in message: String) -> Day? {
        guard message.contains("must be between") else { return nil }
        let words = message.split { !$0.isLetter && !$0.isNumber }.suffix(3).map(String.init)
        guard words.count == 3, let day = Int(words[1]), let year = Int(words[2]),
            let month = Day.months.firstIndex(where: { $0.hasPrefix(words[0].lowercased()) })
        else { return nil }
        return Day(year: year, month: month + 1, day: day)
    }
}
