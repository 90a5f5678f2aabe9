internal import APOD
internal import Transfer

/// A walk through a feed for certain days, newest first, that ends when they all were spoken of.
///
/// An answer that cannot be used costs its own days only: they are asked for one by one, and the walk
/// goes on below them. Three failures in a row, or one of the network, end it.
struct EntrySearch {
    /// What one answer brought.
    enum CheckResult {
        /// Entries and rejections of days that are looked for, and such days that are not published.
        case answer([Entry], [Rejection], unpublished: [Day])
        /// An answer that did not come or cannot be used; the day, where it was about one.
        case failure(FeedError, Day?)
    }

    private let feed: any Feed
    private var remaining: Set<Day>
    private var requests: [SyncPlan.Request]
    private var pages: (any FeedPager)?
    /// The range that ``pages`` are of.
    private var walked: ClosedRange<Day>?
    private var failures = 0

    /// As many as a page holds.
    private static let chunk = 25

    init(_ feed: any Feed, for days: [Day]) {
        self.feed = feed
        remaining = Set(days)
        requests = SyncPlan.requests(for: days).reversed()
    }

    /// The next answer, asked for now; `nil` at the end.
    mutating func next() async -> CheckResult? {
        while !Task.isCancelled, failures < 3 {
            if pages != nil {
                if let finding = await nextPage() { return finding }
                continue
            }
            switch requests.popLast() {
            case nil: return nil
            case .day(let day): return await ask(for: day)
            case .range(let days):
                walked = days
                do throws(FeedError) {
                    pages = try await feed.pager(over: days)
                } catch {
                    return pageFailure(error)
                }
            }
        }
        return nil
    }

    private mutating func nextPage() async -> CheckResult? {
        do throws(FeedError) {
            guard let listing = try await pages?.next() else {
                pages = nil
                // What no page spoke of is asked for by itself, a page's worth at most.
                let left = remaining.filter { walked?.contains($0) ?? false }.sorted()
                requests += left.suffix(Self.chunk).map { .day($0) }
                return nil
            }
            failures = 0
            return answer(listing)
        } catch {
            return pageFailure(error)
        }
    }

    private mutating func pageFailure(_ error: FeedError) -> CheckResult {
        pages = nil
        splitRemaining()
        return failure(error, of: nil)
    }

    private mutating func ask(for day: Day) async -> CheckResult {
        do throws(FeedError) {
            let entry = try await feed.entry(of: day)
            failures = 0
            return answer(FeedPage(entries: [entry], covered: day...day))
        } catch {
            guard error == .notPublished(day) else {
                remaining.remove(day)
                return failure(error, of: day)
            }
            failures = 0
            return answer(FeedPage(entries: [], covered: day...day))
        }
    }

    /// What `listing` says of the days that are looked for; an entry always vouches for itself.
    private mutating func answer(_ listing: FeedPage) -> CheckResult {
        let given = Set(listing.entries.map(\.day))
        let spokenOf = remaining.filter { listing.covered.contains($0) || given.contains($0) }
        let entries = listing.entries.filter { spokenOf.contains($0.day) }
        let named = Set(entries.map(\.day)).union(listing.rejections.compactMap(\.day))
        remaining.subtract(spokenOf)
        return .answer(
            entries,
            listing.rejections.filter { rejection in
                rejection.day.map { spokenOf.contains($0) && !given.contains($0) } ?? true
            },
            unpublished: spokenOf.subtracting(named).sorted(by: >))
    }

    private mutating func failure(_ error: FeedError, of day: Day?) -> CheckResult {
        failures = error.isOfTheNetwork ? 3 : failures + 1
        return .failure(error, day)
    }

    /// After a page that cannot be used: its days one by one, then what lies below, then the rest.
    private mutating func splitRemaining() {
        let days = remaining.sorted(by: >)
        let below = SyncPlan.requests(for: Array(days.dropFirst(Self.chunk)))
        requests = below.reversed() + days.prefix(Self.chunk).reversed().map { .day($0) }
    }
}

extension FeedError {
    /// Whether nothing else can be asked for now, either.
    var isOfTheNetwork: Bool {
        switch self {
        case .transfer(.unreachable), .transfer(.throttled), .transfer(.cancelled): true
        default: false
        }
    }
}
