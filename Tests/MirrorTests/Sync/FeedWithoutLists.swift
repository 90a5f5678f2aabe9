import APOD
import Transfer

/// A feed with its newest page and single days, whose lists fail.
struct FeedWithoutLists: Feed {
    let feed: any Feed

    var kind: FeedKind { feed.kind }

    func newest() async throws(FeedError) -> FeedPage { try await feed.newest() }
    func entry(of day: Day) async throws(FeedError) -> Entry { try await feed.entry(of: day) }

    func pager(
        over days: ClosedRange<Day>, permit: @escaping RequestPermit
    ) async throws(FeedError) -> any FeedPager {
        throw .transfer(.unreachable(address: "https://science.nasa.gov", reason: "no route"))
    }
}
