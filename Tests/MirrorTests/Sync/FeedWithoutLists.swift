import APOD
import Transfer

/// A feed with its newest page and single days, whose lists fail: all of them, or those after the first.
struct FeedWithoutLists: Feed {
    let feed: any Feed
    /// Whether there is a list of the ten newest days, without an entry.
    var hasFirstList = false

    private static let failure = FeedError.transfer(
        .unreachable(address: "https://science.nasa.gov", reason: "no route"))

    var kind: FeedKind { feed.kind }

    func newest() async throws(FeedError) -> FeedPage { try await feed.newest() }
    func entry(of day: Day) async throws(FeedError) -> Entry { try await feed.entry(of: day) }

    func pager(
        over days: ClosedRange<Day>, permit: @escaping RequestPermit
    ) async throws(FeedError) -> any FeedPager {
        guard hasFirstList else { throw Self.failure }
        return Pager(covering: days.upperBound.advanced(by: -9)...days.upperBound, permit: permit)
    }

    private actor Pager: FeedPager {
        private var covered: ClosedRange<Day>?
        private let permit: RequestPermit

        init(covering covered: ClosedRange<Day>, permit: @escaping RequestPermit) {
            self.covered = covered
            self.permit = permit
        }

        func next() async throws(FeedError) -> FeedPage? {
            guard await permit() else { return nil }
            guard let days = covered else { throw FeedWithoutLists.failure }
            covered = nil
            return FeedPage(entries: [], covered: days)
        }
    }
}
