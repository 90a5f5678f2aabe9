package import APOD
package import FoundationEssentials
internal import Transfer

/// The *routes* by which NASA's days come: NASA's API first, then its RSS feed, and then sites with copies of its web pages.
///
/// Each sync (a round of downloads) begins with a ``poll(_:at:)``. This requests the list of the newest entries by one route
/// after the other, until a list is up to date. An *entry* has the texts and addresses of a day, and a ``Feed`` is the client
/// of one route.
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

    /// The age of the newest day in a list, in seconds since its start, above which the list is outdated: NASA publishes daily.
    private static let maximumAge = 36.0 * 3600

    /// Polls the routes in their order, until the newest day of one of them is at most 36 hours old.
    ///
    /// A list that has only days in the future cannot be used. If no other route has newer days than the API, the old list of
    /// the API is used, because NASA may make a pause.
    ///
    /// - Throws: The error of the only route; ``FeedError/noRoute(errorOfFirst:reason:)`` if there are several.
    package func poll(_ dates: PlausibleDates, at now: Date) async throws(FeedError) -> Poll {
        var poll: Poll?
        var errors: [FailedRoute] = []
        for feed in feeds {
            do throws(FeedError) {
                let list = try await feed.newestPage()
                guard let newest = dates.newest(of: list.entries.map(\.day)) else { throw .future }
                if poll == nil {
                    poll = Poll(list: list, feeds: DayFeeds(feed, newest: newest))
                } else {
                    poll?.add(list, of: feed, newest: newest)
                }
                if Self.isUpToDate(newest, dates, at: now) { break }
            } catch .transfer(.cancelled) {
                throw .transfer(.cancelled)
            } catch {
                if feeds.count == 1 { throw error }
                errors.append(FailedRoute(route: feed.route, error: error))
                if poll == nil, Self.isClockWrong(errors) { break }
            }
        }
        guard var poll else { throw Self.noRoute(errors) }
        poll.addFailures(errors)
        return poll
    }

    fileprivate struct FailedRoute {
        let route: Route
        let error: FeedError
    }

    /// Whether a list with this newest day need not be compared with those of other routes.
    private static func isUpToDate(_ newest: Day, _ dates: PlausibleDates, at now: Date) -> Bool {
        // If the clock of this machine is behind, the age is not known.
        dates.isClockBehind || now.timeIntervalSince(newest.startInUTC) <= maximumAge
    }

    /// Whether two routes have only days in the future, which shows that the clock of this machine is wrong.
    ///
    /// A classic mirror, which comes last, would be asked for the day that is today by this clock.
    private static func isClockWrong(_ errors: [FailedRoute]) -> Bool {
        errors.count { $0.error == .future } > 1
    }

    private static func noRoute(_ errors: [FailedRoute]) -> FeedError {
        let reasons = errors.map { "\($0.route.name) (\($0.error))" }.joined(separator: ", ")
        return .noRoute(
            errorOfFirst: errors[0].error,
            reason: "no route to NASA's days can be used: \(reasons)")
    }
}

extension FeedRoutes.Poll {
    /// Adds the days of another route's list that are newer than those of the routes before it.
    fileprivate mutating func add(_ other: FeedPage, of feed: any Feed, newest newestOfOther: Day) {
        let former = feeds.last
        list.rejections += other.rejections.filter { rejection in
            // A rejection without a day may concern any day.
            guard let day = rejection.day else { return true }
            return day > former.newest
        }
        guard newestOfOther > former.newest else { return }
        list.entries = other.entries.filter { $0.day > former.newest } + list.entries
        failures[former.feed.route] = "its newest day is \(former.newest)"
        feeds.feeds.append((newestOfOther, feed))
    }

    /// Adds the reasons why routes cannot be used.
    fileprivate mutating func addFailures(_ errors: [FeedRoutes.FailedRoute]) {
        for failed in errors {
            // A classic mirror that has no page of today yet can still be used for other days.
            if case .notPublished = failed.error { continue }
            failures[failed.route] = "\(failed.error)"
        }
    }
}

/// The feeds from which days are requested: each day from the first feed that is not older than the day.
package struct DayFeeds: Sendable {
    /// At least one feed, each with its newest day, which is after that of the feeds before it, and not in the future.
    fileprivate var feeds: [(newest: Day, feed: any Feed)]

    init(_ feed: any Feed, newest: Day) { feeds = [(newest, feed)] }

    fileprivate var last: (newest: Day, feed: any Feed) { feeds[feeds.count - 1] }
    var newest: Day { last.newest }

    subscript(day: Day) -> any Feed {
        let feedOfDay = feeds.first { day <= $0.newest }
        return (feedOfDay ?? last).feed
    }
}
