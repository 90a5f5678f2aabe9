internal import APOD
internal import Transfer

/// Requests the entries of given days from NASA, newest first, for one sync.
///
/// Most days are requested by lists of many entries. If a list fails, its days are requested one by one, and lists of older
/// days follow. The search ends when each day has an answer, or when several requests in a row have failed. If NASA has not
/// answered any request of the sync, the first failure of the network ends the search.
///
/// The search is a value, and each request returns the search after it: see ``advanced()``.
struct EntrySearch: Sendable {
    enum Answer: Sendable {
        /// The entries of requested days, the rejected ones, and the requested days of which NASA has no entry.
        case list([Entry], [EntryRejection], unpublished: [Day])
        /// A failed request or an invalid list; with the day, if only one day was requested.
        case failure(FeedError, of: Day?)

        var isFailedList: Bool { if case .failure(_, of: nil) = self { true } else { false } }
    }

    private let feeds: DayFeeds
    private let earlierFailures: FailedAttempts
    /// The days that have neither an answer nor failed.
    private var remaining: Set<Day>
    /// The ranges of days that are still to be requested, in this order; a range of one day needs no list.
    private var requests: ArraySlice<ClosedRange<Day>>
    private var consecutiveFailures = 0
    /// Whether NASA has answered a request of this sync, so that the network works.
    private var hasAnswer: Bool

    /// The number of failures in a row after which the search ends; a pause that the server asks for ends it at once.
    private static let maximumConsecutiveFailures = 3

    init(
        _ feeds: DayFeeds, for days: [Day], after earlierFailures: FailedAttempts, hasAnswer: Bool
    ) {
        self.hasAnswer = hasAnswer
        self.feeds = feeds
        self.earlierFailures = earlierFailures
        remaining = Set(days)
        requests = Self.requests(for: days, by: feeds)[...]
    }

    /// The ranges to request for `days`, each from one route; the last routes come first, because they have the newer days.
    private static func requests(for days: [Day], by feeds: DayFeeds) -> [ClosedRange<Day>] {
        Route.allCases.reversed().flatMap { route in
            ranges(of: days.filter { feeds[$0].route == route })
        }
    }

    /// A few ranges that contain all `days`, in their order: 20, 19 and 1 September become the range from 1 to 20 September.
    ///
    /// After a gap that would fill a whole list, a new range begins. Ranges may overlap, and may contain other days.
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

    /// Whether there are days that have neither an answer nor failed.
    var hasRest: Bool { !remaining.isEmpty }

    /// Sends the next request; returns its answer, and the search after it.
    ///
    /// The answer is `nil` if the search has ended: all requests were sent, or too many failed, or the task was cancelled.
    /// The caller can use one answer while a child task waits for the next.
    @concurrent func advanced() async -> (Answer?, EntrySearch) {
        var search = self
        let answer = await search.next()
        return (answer, search)
    }

    private mutating func next() async -> Answer? {
        while !Task.isCancelled, consecutiveFailures < Self.maximumConsecutiveFailures {
            guard let days = requests.popFirst() else { return nil }
            guard days.count == 1 else { return await requestList(of: days) }
            if let answer = await request(days.lowerBound) { return answer }
        }
        return nil
    }

    /// Requests a list of the newest of `days`; if the list has no room for all of them, the next request is for the rest.
    private mutating func requestList(of days: ClosedRange<Day>) async -> Answer {
        do throws(FeedError) {
            let list = try await feeds[days.upperBound].newestPage(of: days)
            if let rest = list.rest(of: days) { requests.insert(rest, at: requests.startIndex) }
            return takeAnswer(from: list)
        } catch {
            planRequestsAfterFailedList()
            return recordFailure(error, of: nil)
        }
    }

    /// Requests a single day; returns `nil` if the request was cancelled, so that the day has no answer.
    private mutating func request(_ day: Day) async -> Answer? {
        do throws(FeedError) {
            let entry = try await feeds[day].entry(of: day)
            return takeAnswer(from: FeedPage(entries: [entry], covered: day...day))
        } catch .transfer(.cancelled) {
            return nil
        } catch .notPublished(day) {
            return takeAnswer(from: FeedPage(entries: [], covered: day...day))
        } catch {
            remaining.remove(day)
            return recordFailure(error, of: day)
        }
    }

    /// Removes the days from the search that `list` answers; returns the part of `list` that concerns requested days.
    ///
    /// If a day has an entry and a rejection, the entry counts.
    private mutating func takeAnswer(from list: FeedPage) -> Answer {
        consecutiveFailures = 0
        hasAnswer = true
        let found = Set(list.entries.map(\.day))
        let answered = remaining.filter { list.covered.contains($0) || found.contains($0) }
        remaining.subtract(answered)
        let entries = list.entries.filter { answered.contains($0.day) }
        let rejections = list.rejections.filter { rejection in
            // A rejection without a day may concern any requested day.
            guard let day = rejection.day else { return true }
            return answered.contains(day) && !found.contains(day)
        }
        let unpublished = answered.subtracting(found)
            .subtracting(list.rejections.compactMap(\.day))
        return .list(entries, rejections, unpublished: unpublished.sorted(by: >))
    }

    /// Counts a failure, whose answer has the `day` of the request, if it was for one day.
    private mutating func recordFailure(_ error: FeedError, of day: Day?) -> Answer {
        let endsSearch = error.endsRequests || (error.isWithoutAnswer && !hasAnswer)
        consecutiveFailures = endsSearch ? Self.maximumConsecutiveFailures : consecutiveFailures + 1
        return .failure(error, of: day)
    }

    /// Plans to request as many days as a list has one by one, and then ranges of the others.
    ///
    /// Days that failed in earlier syncs come last, because failures in a row end the search.
    private mutating func planRequestsAfterFailedList() {
        let days = earlierFailures.sorted(Array(remaining), by: \.self)
        let singleDays = days.prefix(BasicFeed.pageSize).map { $0...$0 }
        let otherDays = days.dropFirst(BasicFeed.pageSize).sorted(by: >)
        requests = singleDays + Self.requests(for: otherDays, by: feeds)[...]
    }
}
