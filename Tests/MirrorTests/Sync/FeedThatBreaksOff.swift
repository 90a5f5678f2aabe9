import APOD
import Transfer

/// A feed whose lists end with a failure of the network after their ten newest days.
struct FeedThatBreaksOff: Feed {
    let feed: any Feed

    var kind: FeedKind { feed.kind }

    func newest() async throws(FeedError) -> FeedPage { try await feed.newest() }
    func entry(of day: Day) async throws(FeedError) -> Entry { try await feed.entry(of: day) }

    func pager(
        over days: ClosedRange<Day>, permit: @escaping RequestPermit
    ) async throws(FeedError) -> any FeedPager {
        Pager(first: days.upperBound.advanced(by: -9)...days.upperBound, permit: permit)
    }

    private actor Pager: FeedPager {
        private let first: ClosedRange<Day>
        private let permit: RequestPermit
        private var isFirst = true

        init(first: ClosedRange<Day>, permit: @escaping RequestPermit) {
            self.first = first
            self.permit = permit
        }

        func next() async throws(FeedError) -> FeedPage? {
            guard await permit() else { return nil }
            guard isFirst else {
                throw .transfer(
                    .unreachable(address: "https://science.nasa.gov", reason: "no route"))
            }
            isFirst = false
            return FeedPage(entries: [], covered: first)
        }
    }
}
