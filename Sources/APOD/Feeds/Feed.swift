package import Transfer

/// A place that NASA's entries come from: the API of NASA or of a compatible server, or another ``Route``.
///
/// If the task of a request is cancelled, the request throws ``FeedError/transfer(_:)``.
package protocol Feed: Sendable {
    /// The format of the entries.
    var kind: FeedKind { get }
    var route: Route { get }

    /// Requests the result page with the newest entry, and perhaps with older ones.
    func newestPage() async throws(FeedError) -> FeedPage

    /// Requests the entry of one day.
    ///
    /// - Throws: ``FeedError/notPublished(_:)`` if NASA has no entry for that day, or none yet.
    func entry(of day: Day) async throws(FeedError) -> Entry

    /// Requests the newest entries of a range of days, as many as fit in one result page.
    ///
    /// The result page covers at least the last day. ``FeedPage/rest(of:)`` returns the days for the next request.
    func newestPage(of days: ClosedRange<Day>) async throws(FeedError) -> FeedPage
}

extension Feed {
    /// Finds the entry in the result page that covers `day`: for feeds that cannot send the entry of one day alone.
    package func entry(of day: Day) async throws(FeedError) -> Entry {
        let page = try await newestPage(of: day...day)
        if let entry = page.entries.first(where: { $0.day == day }) { return entry }
        if let rejection = page.rejections.first(where: { $0.day == day }) {
            throw .unusable(rejection.reason)
        }
        throw .notPublished(day)
    }
}

/// A result page: the entries that a feed returned for one request.
package struct FeedPage: Hashable, Sendable {
    /// Newest first.
    package var entries: [Entry]
    /// Why some elements of the page are not valid entries; the others can be used nevertheless.
    package var rejections: [EntryRejection]
    /// The days whose entries the page has completely: at least one day.
    ///
    /// If a day in this range has neither an entry nor a rejection, NASA has published nothing for it.
    package var covered: ClosedRange<Day>

    package init(entries: [Entry], rejections: [EntryRejection] = [], covered: ClosedRange<Day>) {
        self.entries = entries
        self.rejections = rejections
        self.covered = covered
    }

    /// The days that a request for `days` left open because they are older than this page; `nil` if there are none.
    ///
    /// If the page covers 11 to 30 November, the rest of the days of November is 1 to 10 November.
    package func rest(of days: ClosedRange<Day>) -> ClosedRange<Day>? {
        guard days.lowerBound < covered.lowerBound else { return nil }
        return days.lowerBound...covered.lowerBound.advanced(by: -1)
    }
}

/// Why an element of a result page is not a valid entry.
package struct EntryRejection: Error, Hashable, Sendable {
    /// The day that has no entry because of this; `nil` if the element has no date, or if another entry has that day.
    package var day: Day?
    package var reason: String
}

/// The reason why a feed returned no entry.
package enum FeedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// NASA has published nothing for that day yet, or has no entry of it.
    case notPublished(Day)
    /// The request failed, or the server refused it.
    case transfer(TransferError)
    /// The response has no usable entry; the text says why, such as `https://a.gov/ returned an empty body`.
    case unusable(String)
    /// All entries that are listed as the newest are dated in the future, by the clock of this machine.
    case future
    /// No route can be used: `errorOfFirst` is that of the first route, and `reason` is a sentence about all routes.
    indirect case noRoute(errorOfFirst: FeedError, reason: String)

    package var description: String {
        switch self {
        case .notPublished(let day): "nothing is published for \(day)"
        case .transfer(let error): "\(error)"
        case .future: "all newest entries are dated in the future by the clock of this machine"
        case .unusable(let reason), .noRoute(_, let reason): reason
        }
    }
}

/// A function that requests one URL of a feed.
///
/// It throws ``TransferError/refused(address:status:body:)`` for a status of 400 or more.
package typealias FeedRequest =
    @Sendable (_ url: String) async throws(TransferError) -> BufferedResponse
