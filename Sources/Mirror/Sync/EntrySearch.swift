internal import APOD
internal import Transfer

/// Requests the entries of given days, newest first, until each day has an answer or requests fail.
///
/// Most days are requested by lists of many entries. If a list fails, its days are requested one by one, and the search
/// continues below them. A search is a value, so that no two requests continue from one state.
struct EntrySearch: Sendable {
    enum Answer: Sendable {
        /// Entries and rejections of requested days, and the requested days that are not published.
        case list([Entry], [EntryRejection], unpublished: [Day])
        /// A failed request or an invalid list, with the day if a single one was requested.
        case failure(FeedError, Day?)
    }

    private let feeds: DayFeeds
    /// The days that are neither answered nor failed.
    private var remaining: Set<Day>
    /// The remaining requests, the next one last; a range of one day needs no list.
    private var requests: [ClosedRange<Day>]
    private var consecutiveFailures = 0

    /// So many failures in a row end the search, as other requests would fail, too; one of the network ends it at once.
    private static let maximumConsecutiveFailures = 3

    init(_ feeds: DayFeeds, for days: [Day]) {
        self.feeds = feeds
        remaining = Set(days)
        requests = Self.requests(for: days, by: feeds).reversed()
    }

    /// The requests for `days`, each of one route; the last routes come first, because they have the newer days.
    private static func requests(for days: [Day], by feeds: DayFeeds) -> [ClosedRange<Day>] {
        Route.allCases.reversed().flatMap { route in
            ranges(of: days.filter { feeds[$0].route == route })
        }
    }

    /// Few ranges that have all `days` in their order: of 20, 19 and 1 September, the range from 1 to 20 September.
    ///
    /// A new range begins after a gap that would fill a list. Ranges may overlap, and have other days, too.
    static func ranges(of days: [Day]) -> [ClosedRange<Day>] {
        var ranges: [ClosedRange<Day>] = []
        for day in days {
            if let last = ranges.last, 0..<BasicFeed.pageSize ~= day.distance(to: last.lowerBound) {
                ranges[ranges.count - 1] = day...last.upperBound
            } else {
                ranges.append(day...day)
            }
        }
        return ranges
    }

    /// Whether days have neither an answer nor failed.
    var hasRest: Bool { !remaining.isEmpty }

    /// Sends the next request; returns its answer, and the search after it.
    ///
    /// The answer is `nil` if all requests were sent, or the search ended because of failures or a cancellation. The
    /// caller can use one answer while a child task waits for the next.
    @concurrent func advanced() async -> (Answer?, EntrySearch) {
        var search = self
        let answer = await search.next()
        return (answer, search)
    }

    private mutating func next() async -> Answer? {
        while !Task.isCancelled, consecutiveFailures < Self.maximumConsecutiveFailures {
            guard let days = requests.popLast() else { return nil }
            guard days.count == 1 else { return await requestList(of: days) }
            if let answer = await request(days.lowerBound) { return answer }
        }
        return nil
    }

    /// Requests a list of the newest of `days`; the next request is for those that the list has no room for.
    private mutating func requestList(of days: ClosedRange<Day>) async -> Answer {
        do throws(FeedError) {
            let list = try await feeds[days.upperBound].newest(of: days)
            if let rest = list.rest(of: days) { requests.append(rest) }
            consecutiveFailures = 0
            return answer(by: list)
        } catch {
            return listFailure(error)
        }
    }

    /// Requests a single day; `nil` if that was cancelled, so that the day has no answer.
    private mutating func request(_ day: Day) async -> Answer? {
        var entries: [Entry] = []
        do throws(FeedError) {
            entries = [try await feeds[day].entry(of: day)]
        } catch {
            guard error != .transfer(.cancelled) else { return nil }
            guard error == .notPublished(day) else {
                remaining.remove(day)
                return failure(error, of: day)
            }
        }
        consecutiveFailures = 0
        return answer(by: FeedPage(entries: entries, covered: day...day))
    }

    /// The part of `list` that concerns requested days; an entry takes precedence over a rejection.
    private mutating func answer(by list: FeedPage) -> Answer {
        let found = Set(list.entries.map(\.day))
        let answered = remaining.filter { list.covered.contains($0) || found.contains($0) }
        remaining.subtract(answered)
        let entries = list.entries.filter { answered.contains($0.day) }
        let rejections = list.rejections.filter { rejection in
            // A rejection without a day may concern a requested day.
            guard let day = rejection.day else { return true }
            return answered.contains(day) && !found.contains(day)
        }
        let unpublished = answered.subtracting(found)
            .subtracting(list.rejections.compactMap(\.day))
        return .list(entries, rejections, unpublished: unpublished.sorted(by: >))
    }

    private mutating func failure(_ error: FeedError, of day: Day?) -> Answer {
        consecutiveFailures =
            error.endsRequests ? Self.maximumConsecutiveFailures : consecutiveFailures + 1
        return .failure(error, day)
    }

    /// Makes the next requests after a failed list: for its days one by one, then for the ranges below.
    private mutating func listFailure(_ error: FeedError) -> Answer {
        let days = remaining.sorted(by: >)
        let below = Self.requests(for: Array(days.dropFirst(BasicFeed.pageSize)), by: feeds)
        requests = below.reversed() + days.prefix(BasicFeed.pageSize).reversed().map { $0...$0 }
        return failure(error, of: nil)
    }
}
