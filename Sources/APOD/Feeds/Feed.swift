package import Transfer

/// One way to NASA's entries: an API of a ``FeedKind``, at NASA or on a compatible server, or another ``Route``.
///
/// A cancelled request fails with ``FeedError/transfer(_:)``, too.
package protocol Feed: Sendable {
    var kind: FeedKind { get }
    var route: Route { get }

    /// Requests the newest entry, and possibly older ones.
    func newest() async throws(FeedError) -> FeedPage

    /// Requests the entry of one day.
    ///
    /// - Throws: ``FeedError/notPublished(_:)`` if NASA has no entry for that day, or none yet.
    func entry(of day: Day) async throws(FeedError) -> Entry

    /// Requests the newest entries of a range of days: as many as one request has.
    ///
    /// The result page covers at least the last day. ``FeedPage/rest(of:)`` returns the days of the next request.
    func newest(of days: ClosedRange<Day>) async throws(FeedError) -> FeedPage
}

extension Feed {
    /// Looks for the entry in the result page that covers `day`: for feeds that cannot be asked for one day alone.
    package func entry(of day: Day) async throws(FeedError) -> Entry {
        let page = try await newest(of: day...day)
        if let entry = page.entries.first(where: { $0.day == day }) { return entry }
        let rejection = page.rejections.first { $0.day == day }
        throw rejection.map { .unusable($0.reason) } ?? .notPublished(day)
    }
}

/// A result page of a feed.
package struct FeedPage: Hashable, Sendable {
    /// Newest first.
    package var entries: [Entry]
    /// The elements that are not valid entries, which do not invalidate the others.
    package var rejections: [EntryRejection]
    /// The days of which the page has all entries, at least one day.
    ///
    /// NASA has published nothing for a covered day that has neither an entry nor a rejection.
    package var covered: ClosedRange<Day>

    package init(entries: [Entry], rejections: [EntryRejection] = [], covered: ClosedRange<Day>) {
        self.entries = entries
        self.rejections = rejections
        self.covered = covered
    }

    /// The requested `days` that are older than those of the result page; `nil` if there are none.
    package func rest(of days: ClosedRange<Day>) -> ClosedRange<Day>? {
        guard days.lowerBound < covered.lowerBound else { return nil }
        return days.lowerBound...covered.lowerBound.advanced(by: -1)
    }
}

/// Why an element of a result page is not a valid entry.
package struct EntryRejection: Error, Hashable, Sendable {
    /// The day of the element; `nil` if it has no date, or if another entry has the same date.
    package var day: Day?
    package var reason: String
}

/// The reason why a feed returned no entry.
package enum FeedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// NASA has published nothing for that day yet, or has no entry of it.
    case notPublished(Day)
    /// The request failed, or the server refused it.
    case transfer(TransferError)
    /// The response is unusable: a placeholder, another date, not JSON. The text says which.
    case unusable(String)
    /// All entries that are listed as the newest are dated in the future, by the clock of this machine.
    case future
    /// No route can be used: the error of the first route, and a sentence that has the errors of all routes.
    indirect case noRoute(FeedError, String)

    package var description: String {
        switch self {
        case .notPublished(let day): "nothing is published for \(day)"
        case .transfer(let error): "\(error)"
        case .future: "all newest entries are dated in the future by the clock of this machine"
        case .unusable(let reason), .noRoute(_, let reason): reason
        }
    }
}

/// Requests one URL of a feed.
///
/// Throws ``TransferError/refused(address:status:body:)`` for a status of 400 or more.
package typealias FeedRequest =
    @Sendable (_ url: String) async throws(TransferError) -> BufferedResponse
