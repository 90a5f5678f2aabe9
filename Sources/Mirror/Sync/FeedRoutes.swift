package import APOD
package import FoundationEssentials
internal import Transfer

/// The routes by which NASA's days come, the API first; a poll asks one after the other, until one is up to date.
package struct FeedRoutes: Sendable {
    /// The longest age of a list in seconds: NASA publishes a day every day, so that an older list is outdated.
    private static let longestAge = 36.0 * 3600

    private let feeds: [any Feed]

    package var api: any Feed { feeds[0] }

    package init(_ api: any Feed, _ others: [any Feed] = []) { feeds = [api] + others }

    package struct Poll: Sendable {
        /// The entries of the first route that works, and the newer entries of the routes after it.
        package fileprivate(set) var list: FeedPage
        /// The feeds from which days can be requested now.
        package fileprivate(set) var feeds: DayFeeds
        /// The reasons why routes that were asked cannot be used.
        package fileprivate(set) var failures: [Route: String] = [:]
    }

    /// Polls the routes in their order, until the newest day of one of them is at most 36 hours old.
    ///
    /// A list that has only days in the future cannot be used. If no other route has newer days than the API, the old list of
    /// the API is used, because NASA may make a pause.
    ///
    /// - Throws: The error of the only route; ``FeedError/noRoute(errorOfFirst:reason:)`` if there are several.
    package func poll(_ dates: PlausibleDates, at now: Date) async throws(FeedError) -> Poll {
        var poll: Poll?
        var errors: [(route: Route, error: FeedError)] = []
        for feed in feeds {
            do throws(FeedError) {
                let list = try await feed.newestPage()
                guard let newest = dates.newest(of: list.entries.map(\.day)) else { throw .future }
                if poll == nil {
                    poll = Poll(list: list, feeds: DayFeeds(byNewestDay: [(newest, feed)]))
                } else {
                    poll?.add(list, newest: newest, of: feed)
                }
                // If the clock is behind, the age of a list is not known.
                let age = now.timeIntervalSince(newest.startInUTC)
                guard dates.last != nil, age > Self.longestAge else { break }
            } catch {
                guard error != .transfer(.cancelled), feeds.count > 1 else { throw error }
                errors.append((feed.route, error))
                // If two routes have only days in the future, the clock of this machine is wrong. A classic mirror would be
                // asked for the day that is today by this clock.
                if poll == nil, errors.count(where: { $0.error == .future }) > 1 { break }
            }
        }
        guard var poll else {
            let reasons = errors.map { "\($0.route.name) (\($0.error))" }.joined(separator: ", ")
            throw .noRoute(
                errorOfFirst: errors[0].error,
                reason: "no route to NASA's days can be used: \(reasons)")
        }
        for (route, error) in errors {
            // A classic mirror that has no page of today yet can still be used for other days.
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

/// The feed that is asked for a day: the first one whose newest day is not before the day, else the last one.
package struct DayFeeds: Sendable {
    /// The feeds, each with newer days than the feeds before it.
    var byNewestDay: [(newest: Day, feed: any Feed)]

    /// The newest day of all feeds, which is not in the future.
    var newest: Day { byNewestDay[byNewestDay.endIndex - 1].newest }

    subscript(day: Day) -> any Feed {
        (byNewestDay.first { day <= $0.newest } ?? byNewestDay[byNewestDay.endIndex - 1]).feed
    }
}
