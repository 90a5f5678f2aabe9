internal import APOD

/// Requests the entries of given days from a feed, newest first, until each has an answer.
///
/// The days of an invalid list are requested one by one, and the search continues below them.
actor EntrySearch {
    /// The result of one request.
    enum Result: Sendable {
        /// Entries and rejections of requested days, and requested days that are not published.
        case page([Entry], [EntryRejection], unpublished: [Day])
        /// A failed request or an invalid list; the day, if a single one was requested.
        case failure(FeedError, Day?)
    }

    private let feed: any Feed
    /// The days without an answer.
    private var remaining: Set<Day>
    /// The next request is the last element; a single day is requested without a list.
    private var requests: [ClosedRange<Day>]
    /// The lists of the request under way, which cover ``currentRange``; `nil` if there is none.
    private var lists: (any FeedPager)?
    private var currentRange: ClosedRange<Day>?
    private var consecutiveFailures = 0

    /// So many failures in a row, or one of the network, end the search: other requests would fail, too.
    private static let maximumConsecutiveFailures = 3

    init(_ feed: any Feed, for days: [Day]) {
        self.feed = feed
        remaining = Set(days)
        requests = SyncPlan.requests(for: days).reversed()
    }

    /// Sends the next request; `nil` at the end.
    func next() async -> Result? {
        while !Task.isCancelled, consecutiveFailures < Self.maximumConsecutiveFailures {
            if lists != nil {
                if let result = await nextList() { return result }
                continue
            }
            guard let days = requests.popLast() else { return nil }
            if days.count == 1 { return await request(days.lowerBound) }
            currentRange = days
            do throws(FeedError) {
                lists = try await feed.pager(over: days)
            } catch {
                return listFailure(error)
            }
        }
        return nil
    }

    private func nextList() async -> Result? {
        do throws(FeedError) {
            guard let list = try await lists?.next() else {
                lists = nil
                // Days that no list covered are requested one by one, at most as many as a list has.
                let left = remaining.filter { currentRange?.contains($0) ?? false }.sorted()
                requests += left.suffix(SyncPlan.pageSize).map { $0...$0 }
                return nil
            }
            consecutiveFailures = 0
            return result(of: list)
        } catch {
            return listFailure(error)
        }
    }

    private func listFailure(_ error: FeedError) -> Result {
        lists = nil
        splitRemaining()
        return failure(error, of: nil)
    }

    private func request(_ day: Day) async -> Result {
        do throws(FeedError) {
            let entry = try await feed.entry(of: day)
            consecutiveFailures = 0
            return result(of: FeedPage(entries: [entry], covered: day...day))
        } catch {
            guard error == .notPublished(day) else {
                remaining.remove(day)
                return failure(error, of: day)
            }
            consecutiveFailures = 0
            return result(of: FeedPage(entries: [], covered: day...day))
        }
    }

    /// The part of `list` that concerns requested days; an entry takes precedence over a rejection.
    private func result(of list: FeedPage) -> Result {
        let found = Set(list.entries.map(\.day))
        let answered = remaining.filter { list.covered.contains($0) || found.contains($0) }
        let entries = list.entries.filter { answered.contains($0.day) }
        let rejections = list.rejections.filter { rejection in
            rejection.day.map { answered.contains($0) && !found.contains($0) } ?? true
        }
        let named = Set(entries.map(\.day)).union(list.rejections.compactMap(\.day))
        remaining.subtract(answered)
        return .page(
            entries, rejections, unpublished: answered.subtracting(named).sorted(by: >))
    }

    private func failure(_ error: FeedError, of day: Day?) -> Result {
        consecutiveFailures =
            error.isOfNetwork ? Self.maximumConsecutiveFailures : consecutiveFailures + 1
        return .failure(error, day)
    }

    /// Requests the days of an invalid list one by one, then the ranges below.
    private func splitRemaining() {
        let days = remaining.sorted(by: >)
        let below = SyncPlan.requests(for: Array(days.dropFirst(SyncPlan.pageSize)))
        requests = below.reversed() + days.prefix(SyncPlan.pageSize).reversed().map { $0...$0 }
    }
}
