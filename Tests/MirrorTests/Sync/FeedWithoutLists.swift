import APOD
import Transfer

/// A feed with its newest page and single days, whose lists fail, as do given days.
struct FeedWithoutLists: Feed {
    let feed: any Feed
    /// Whether the list of these days fails.
    var failsForList: @Sendable (ClosedRange<Day>) -> Bool = { _ in true }
    var failsForDay: @Sendable (Day) -> Bool = { _ in false }

    private static let failure = FeedError.transfer(
        .unreachable(address: "https://science.nasa.gov", reason: "no route"))

    var kind: FeedKind { feed.kind }
    var route: Route { feed.route }

    func newestPage() async throws(FeedError) -> FeedPage { try await feed.newestPage() }

    func entry(of day: Day) async throws(FeedError) -> Entry {
        guard !failsForDay(day) else { throw Self.failure }
        return try await feed.entry(of: day)
    }

    func newestPage(of days: ClosedRange<Day>) async throws(FeedError) -> FeedPage {
        guard !failsForList(days) else { throw Self.failure }
        return try await feed.newestPage(of: days)
    }
}
