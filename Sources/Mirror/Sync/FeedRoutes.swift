package import APOD
package import FoundationEssentials
internal import Transfer

/// The routes to NASA's days: the API, and others that are polled only if those before them cannot be used.
package struct FeedRoutes: Sendable {
    package let api: any Feed
    private let others: [any Feed]

    /// A list whose newest day is older is outdated, because NASA publishes every day.
    private static let longestAge = 36.0 * 3600

    package init(_ api: any Feed, _ others: [any Feed] = []) {
        self.api = api
        self.others = others
    }

    package struct Poll: Sendable {
        /// The newest entries of the first route that can be used, and newer ones of the routes after it.
        package fileprivate(set) var list: FeedPage
        /// The newest day of ``list`` that is not in the future.
        package fileprivate(set) var newest: Day
        /// Which route each day is requested from: the first whose list reaches to the day.
        package fileprivate(set) var feeds: DayFeeds
        /// Why some of the polled routes cannot be used.
        package fileprivate(set) var failures: [Route: String] = [:]
    }

    /// Polls the routes in their order, until the newest day of one of them is not older than 36 hours.
    ///
    /// A list with only days of the future cannot be used. An old list can if no route has newer days: NASA may pause.
    ///
    /// - Throws: The error of the only route; ``FeedError/noRoute(_:_:)`` if there are several.
    package func poll(_ dates: PlausibleDates, at now: Date) async throws(FeedError) -> Poll {
        var poll: Poll?
        var errors: [(route: Route, error: FeedError)] = []
        for feed in [api] + others {
            do throws(FeedError) {
                let list = try await feed.newest()
                guard let newest = dates.newest(of: list.entries.map(\.day)) else { throw .future }
                if poll == nil {
                    poll = Poll(list: list, newest: newest, feeds: DayFeeds(feed))
                } else {
                    poll?.add(list, newest: newest, of: feed)
                }
                // By a clock that is behind, the age of a list is not known.
                let age = now.timeIntervalSince(newest.startInUTC)
                guard dates.last != nil, age > Self.longestAge else { break }
            } catch {
                guard error != .transfer(.cancelled), !others.isEmpty else { throw error }
                errors.append((feed.route, error))
                // Two lists of the future show a wrong clock. A classic mirror would be asked for a wrong day.
                if poll == nil, errors.count(where: { $0.error == .future }) > 1 { break }
            }
        }
        guard var poll else {
            let reasons = errors.map { "\($0.route.name) (\($0.error))" }.joined(separator: ", ")
            throw .noRoute(errors[0].error, "no route to NASA's days can be used: \(reasons)")
        }
        for (route, error) in errors {
            // A classic mirror that has no page of today yet can be used.
            if case .notPublished = error { continue }
            poll.failures[route] = "\(error)"
        }
        return poll
    }
}

extension FeedRoutes.Poll {
    /// Adds the newer days of `list`, which came from another route, `feed`.
    fileprivate mutating func add(_ list: FeedPage, newest: Day, of feed: any Feed) {
        let end = self.newest
        self.list.rejections += list.rejections.filter { $0.day.map { $0 > end } ?? true }
        guard newest > end else { return }
        self.list.entries = list.entries.filter { $0.day > end } + self.list.entries
        self.newest = newest
        failures[feeds[end].route] = "its newest day is \(end)"
        feeds.add(feed, after: end)
    }
}

/// Which feed each day is requested from: older days from the first, newer ones from the next.
package struct DayFeeds: Sendable {
    /// The feeds by their first days, in ascending order.
    private var feeds: [(first: Day, feed: any Feed)]

    init(_ feed: any Feed) { feeds = [(.first, feed)] }

    fileprivate mutating func add(_ feed: any Feed, after day: Day) {
        feeds.append((day.advanced(by: 1), feed))
    }

    subscript(day: Day) -> any Feed { (feeds.last { $0.first <= day } ?? feeds[0]).feed }
}
