package import APOD
package import FoundationEssentials
internal import Transfer

/// The routes by which NASA's days come: NASA's API first, then its RSS feed and the classic mirrors.
///
/// Each sync begins with a ``poll(_:at:)``, which asks one route after the other for its newest days, until one is up to date.
/// A ``Feed`` is the client of one route.
package struct FeedRoutes: Sendable {
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
                    poll = Poll(list: list, feeds: DayFeeds(feed, newest: newest))
                } else {
                    poll?.add(list, of: feed, newest: newest)
                }
                // If the clock is behind, the age of a list is not known.
                if dates.isClockBehind || Self.isUpToDate(newest, at: now) { break }
            } catch {
                guard error != .transfer(.cancelled), feeds.count > 1 else { throw error }
                errors.append((feed.route, error))
                // If two routes have only days in the future, the clock of this machine is wrong. A classic mirror would be
                // asked for the day that is today by this clock.
                if poll == nil, errors.count(where: { $0.error == .future }) > 1 { break }
            }
        }
        guard var poll else { throw Self.noRoute(errors) }
        for (route, error) in errors {
            // A classic mirror that has no page of today yet can still be used for other days.
            if case .notPublished = error { continue }
            poll.failures[route] = "\(error)"
        }
        return poll
    }

    /// Whether a list with this `newest` day is at most 36 hours old: NASA publishes a day every day.
    private static func isUpToDate(_ newest: Day, at now: Date) -> Bool {
        now.timeIntervalSince(newest.startInUTC) <= 36 * 3600
    }

    /// The error of a poll in which no route could be used; `errors` has at least one element.
    private static func noRoute(_ errors: [(route: Route, error: FeedError)]) -> FeedError {
        let reasons = errors.map { "\($0.route.name) (\($0.error))" }.joined(separator: ", ")
        return .noRoute(
            errorOfFirst: errors[0].error,
            reason: "no route to NASA's days can be used: \(reasons)")
    }
}

extension FeedRoutes.Poll {
    /// Adds the days of another route's list that are newer than those of the routes before it.
    fileprivate mutating func add(_ other: FeedPage, of feed: any Feed, newest newestOfOther: Day) {
        let former = feeds.newest
        // A rejection without a day may concern any day.
        list.rejections += other.rejections.filter { $0.day.map { $0 > former } ?? true }
        guard newestOfOther > former else { return }
        list.entries = other.entries.filter { $0.day > former } + list.entries
        failures[feeds[former].route] = "its newest day is \(former)"
        feeds.append(feed, newest: newestOfOther)
    }
}

/// The feeds from which days are requested: each day from the first feed that is not older than the day.
package struct DayFeeds: Sendable {
    /// The feeds before the last one, each with newer days than the feeds before it.
    private var earlier: [(newest: Day, feed: any Feed)] = []
    /// The feed with the newest days, which are not in the future.
    private var last: (newest: Day, feed: any Feed)

    init(_ feed: any Feed, newest: Day) { last = (newest, feed) }

    /// Adds a feed whose `newest` day is after that of all other feeds.
    mutating func append(_ feed: any Feed, newest: Day) {
        earlier.append(last)
        last = (newest, feed)
    }

    var newest: Day { last.newest }

    subscript(day: Day) -> any Feed { (earlier.first { day <= $0.newest } ?? last).feed }
}
