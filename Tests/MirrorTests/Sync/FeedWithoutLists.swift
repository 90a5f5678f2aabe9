import APOD
import Transfer

/// A feed with its newest page and single days, whose lists fail.
struct FeedWithoutLists: Feed {
    let feed: any Feed

    private static let failure = FeedError.transfer(
        .unreachable(address: "https://science.nasa.gov", reason: "no route"))

    var kind: FeedKind { feed.kind }
    var route: Route { feed.route }

    func newestPage() async throws(FeedError) -> FeedPage { try await feed.newestPage() }
    func entry(of day: Day) async throws(FeedError) -> Entry { try await feed.entry(of: day) }

    func newestPage(of days: ClosedRange<Day>) async throws(FeedError) -> FeedPage {
        throw Self.failure
    }
}
