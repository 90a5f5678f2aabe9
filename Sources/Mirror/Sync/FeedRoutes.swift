package import APOD
package import FoundationEssentials
internal import Transfer

/// The routes to NASA's days, of which each is polled only if those before it cannot be used.
package struct FeedRoutes: Sendable {
    package let api: any Feed
    private let others: [any Feed]

    /// NASA publishes every day: an older list is outdated.
    private static let longestAge = 36.0 * 3600

    package init(_ api: any Feed, _ others: [any Feed] = []) {
        self.api = api
        self.others = others
    }

    /// What a poll found.
    package struct Poll: Sendable {
        /// The newest entries of the first route that can be used, and newer ones of those after it.
        package fileprivate(set) var list: FeedPage
        /// Requests further days, each by the first route whose list reaches to it.
        package fileprivate(set) var feed: any Feed
        /// Why routes cannot be used, of those that were asked.
        package fileprivate(set) var failures: [Route: String] = [:]
    }

    /// Polls the routes in their order, until the newest day of one of them is not older than 36 hours.
    ///
    /// If no route has newer days than the API, an old list is used: NASA may pause.
    ///
    /// - Throws: The error of the only route; ``FeedError/noRoute(_:_:)`` if there are several.
    package func poll(_ dates: PlausibleDates, at now: Date) async throws(FeedError) -> Poll {
        var poll: Poll?
        var errors: [(route: Route, error: FeedError)] = []
        for feed in [api] + others {
            do throws(FeedError) {
                let list = try await feed.newest()
                let newest = dates.newest(of: list.entries.map(\.day))
                poll = poll.map { $0.adding(list, of: feed, dates) } ?? Poll(list: list, feed: feed)
                // Where all dates are in the future, the clock is wrong: no list says how old another one is.
                let isOld =
                    dates.last != nil
                    && newest.map { now.timeIntervalSince($0.startInUTC) > Self.longestAge }
                        ?? false
                guard isOld else { break }
            } catch {
                guard error != .transfer(.cancelled), !others.isEmpty else { throw error }
                errors.append((feed.route, error))
            }
        }
        guard var poll else {
            let reasons = errors.map { "\($0.route.name) (\($0.error))" }.joined(separator: ", ")
            throw .noRoute(errors[0].error, "no route to NASA's days can be used: \(reasons)")
        }
        for (route, error) in errors {
            // Before the page of today is there, a classic mirror can be used.
            if case .notPublished = error { continue }
            poll.failures[route] = "\(error)"
        }
        return poll
    }
}

extension FeedRoutes.Poll {
    /// The poll with what `list`, that of `other`, has of newer days.
    fileprivate func adding(
        _ list: FeedPage, of other: any Feed, _ dates: PlausibleDates
    ) -> Self {
        guard let end = dates.newest(of: self.list.entries.map(\.day)) else { return self }
        var poll = self
        poll.list.rejections += list.rejections.filter { $0.day.map { $0 > end } ?? true }
        guard let newest = dates.newest(of: list.entries.map(\.day)), newest > end
        else { return poll }
        poll.list.entries = list.entries.filter { $0.day > end } + self.list.entries
        poll.feed = JoinedFeed(older: feed, newer: other, end: end)
        poll.failures[feed.route] = "its newest day is \(end)"
        return poll
    }
}

/// Two routes to the days before and after one.
private struct JoinedFeed: Feed {
    let older: any Feed
    let newer: any Feed
    /// The last day of the older ones.
    let end: Day

    var kind: FeedKind { older.kind }
    var route: Route { newer.route }

    func route(of day: Day) -> Route { feed(of: day).route }

    private func feed(of day: Day) -> any Feed { day > end ? newer : older }

    func newest() async throws(FeedError) -> FeedPage { try await newer.newest() }

    func entry(of day: Day) async throws(FeedError) -> Entry {
        try await feed(of: day).entry(of: day)
    }

    func pages(over days: ClosedRange<Day>) -> any FeedPages {
        feed(of: days.upperBound).pages(over: days)
    }
}
