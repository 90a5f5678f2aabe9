internal import APOD

/// Requests the entries of given days from a feed, newest first, until each has an answer.
///
/// An invalid page affects only its own days: these are requested one by one, and the search continues
/// below them. Several consecutive failures, or one of the network, end it.
actor EntrySearch {
    /// The result of one request.
    enum Result: Sendable {
        /// Entries and rejections of requested days, and requested days that are not published.
        case page([Entry], [EntryRejection], unpublished: [Day])
        /// A failed request or an invalid page; the day, if it concerned a single one.
        case failure(FeedError, Day?)
    }

    private let feed: any Feed
    private var remaining: Set<Day>
    /// The first one last; a single day is requested without a list.
    private var requests: [ClosedRange<Day>]
    private var pages: (any FeedPager)?
    /// The range that ``pages`` cover.
    private var currentRange: ClosedRange<Day>?
    private var consecutiveFailures = 0

    /// One failure can concern its days only; a server that fails so often in a row would fail for all others,
    /// too, and get a request for each of them.
    private static let maximumConsecutiveFailures = 3

    init(_ feed: any Feed, for days: [Day]) {
        self.feed = feed
        remaining = Set(days)
        requests = SyncPlan.requests(for: days).reversed()
    }

    /// Sends the next request; `nil` at the end.
    func next() async -> Result? {
        while !Task.isCancelled, consecutiveFailures < Self.maximumConsecutiveFailures {
            if pages != nil {
                if let result = await nextPage() { return result }
                continue
            }
            guard let days = requests.popLast() else { return nil }
            if days.count == 1 { return await request(days.lowerBound) }
            currentRange = days
            do throws(FeedError) {
                pages = try await feed.pager(over: days)
            } catch {
                return pageFailure(error)
            }
        }
        return nil
    }

    private func nextPage() async -> Result? {
        do throws(FeedError) {
            guard let page = try await pages?.next() else {
                pages = nil
                // Days that no page covered are requested one by one, at most as many as a page has.
                let left = remaining.filter { currentRange?.contains($0) ?? false }.sorted()
                requests += left.suffix(SyncPlan.pageSize).map { $0...$0 }
                return nil
            }
            consecutiveFailures = 0
            return result(of: page)
        } catch {
            return pageFailure(error)
        }
    }

    private func pageFailure(_ error: FeedError) -> Result {
        pages = nil
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

    /// The part of `page` that concerns requested days; an entry takes precedence over a rejection.
    private func result(of page: FeedPage) -> Result {
        let found = Set(page.entries.map(\.day))
        let answered = remaining.filter { page.covered.contains($0) || found.contains($0) }
        let entries = page.entries.filter { answered.contains($0.day) }
        let named = Set(entries.map(\.day)).union(page.rejections.compactMap(\.day))
        remaining.subtract(answered)
        return .page(
            entries,
            page.rejections.filter { rejection in
                rejection.day.map { answered.contains($0) && !found.contains($0) } ?? true
            },
            unpublished: answered.subtracting(named).sorted(by: >))
    }

    private func failure(_ error: FeedError, of day: Day?) -> Result {
        consecutiveFailures =
            error.isOfNetwork ? Self.maximumConsecutiveFailures : consecutiveFailures + 1
        return .failure(error, day)
    }

    /// After an invalid page: requests its days one by one, then the ranges below.
    private func splitRemaining() {
        let days = remaining.sorted(by: >)
        let below = SyncPlan.requests(for: Array(days.dropFirst(SyncPlan.pageSize)))
        requests = below.reversed() + days.prefix(SyncPlan.pageSize).reversed().map { $0...$0 }
    }
}
