package import APOD
package import FoundationEssentials
internal import Transfer

/// The routes to NASA's days, which a poll asks in their order until one has a list that is not outdated.
package struct FeedRoutes: Sendable {
    /// NASA publishes every day: an older list is outdated.
    private static let longestAge = 36.0 * 3600

    private let feeds: [any Feed]

    package var api: any Feed { feeds[0] }

    package init(_ api: any Feed, _ others: [any Feed] = []) { feeds = [api] + others }

    package struct Poll: Sendable {
        /// The entries of the first route that can be used, and the newer entries of the routes after it.
        package fileprivate(set) var list: FeedPage
        package fileprivate(set) var feeds: DayFeeds
        /// Why routes that were asked cannot be used.
        package fileprivate(set) var failures: [Route: String] = [:]
    }

    /// Polls the routes in their order, until the newest day of one of them is not older than 36 hours.
    ///
    /// A list of nothing but days of the future cannot be used. If no route has newer days than the API, an old list is
    /// used, because NASA may pause.
    ///
    /// - Throws: The error of the only route; ``FeedError/noRoute(_:_:)`` if there are several.
    package func poll(_ dates: PlausibleDates, at now: Date) async throws(FeedError) -> Poll {
        var poll: Poll?
        var errors: [(route: Route, error: FeedError)] = []
        for feed in feeds {
            do throws(FeedError) {
                let list = try await feed.newest()
                guard let newest = dates.newest(of: list.entries.map(\.day)) else { throw .future }
                if poll == nil {
                    poll = Poll(list: list, feeds: DayFeeds(byNewestDay: [(newest, feed)]))
                } else {
                    poll?.add(list, newest: newest, of: feed)
                }
                // By a clock that is behind, the age of a list is not known.
                let age = now.timeIntervalSince(newest.startInUTC)
                guard dates.last != nil, age > Self.longestAge else { break }
            } catch {
                guard error != .transfer(.cancelled), feeds.count > 1 else { throw error }
                errors.append((feed.route, error))
                // The clock of this machine is wrong, and a classic mirror would be asked for its “today”.
                if poll == nil, errors.count(where: { $0.error == .future }) > 1 { break }
            }
        }
        guard var poll else {
            let reasons = errors.map { "\($0.route.name) (\($0.error))" }.joined(separator: ", ")
            throw .noRoute(errors[0].error, "no route to NASA's days can be used: \(reasons)")
        }
        for (route, error) in errors {
            // A classic mirror can be used, although it has no page of today yet.
            if case .notPublished = error { continue }
            poll.failures[route] = "\(error)"
        }
        return poll
    }
}

extension FeedRoutes.Poll {
    /// Adds the days of another route's `list` that are newer than those of the routes before it.
    fileprivate mutating func add(_ other: FeedPage, newest newestOfOther: Day, of feed: any Feed) {
        let end = feeds.newest
        list.rejections += other.rejections.filter { $0.day.map { $0 > end } ?? true }
        guard newestOfOther > end else { return }
        list.entries = other.entries.filter { $0.day > end } + list.entries
        failures[feeds[end].route] = "its newest day is \(end)"
        feeds.byNewestDay.append((newestOfOther, feed))
    }
}

/// Which feed is asked for a day: the first one whose newest day is not before it, else the last one.
package struct DayFeeds: Sendable {
    /// Each feed has newer days than those before it.
    var byNewestDay: [(newest: Day, feed: any Feed)]

    /// The newest day of all, which is not in the future.
    var newest: Day { byNewestDay[byNewestDay.endIndex - 1].newest }

    subscript(day: Day) -> any Feed {
        (byNewestDay.first { day <= $0.newest } ?? byNewestDay[byNewestDay.endIndex - 1]).feed
    }
}
