package import APOD
internal import FoundationEssentials
internal import Glibc
internal import Mirror
package import Platform
internal import Transfer

/// NASA's first answer, which comes before a mirror is created: a wrong address leaves nothing on the disk.
package struct FirstAnswer: Sendable {
    let client: Client
    /// Begins with the answer, which is not requested twice.
    let feed: any Feed
}

/// Requests NASA's first answer.
package struct FirstRequest: Sendable {
    private let settings: Settings
    private let apiKey: String?
    private let wakeReasons = CoalescingSignal<WakeReason>()
    /// The daemon is ready after this time, as with a scan of `favorites/` that takes long.
    private static let longestStart = Duration.seconds(30)

    package init(_ settings: Settings, apiKey: String?) {
        self.settings = settings
        self.apiKey = apiKey
    }

    /// Checks for free disk space before any request, as a sync does.
    ///
    /// - Throws: ``SystemError``; `ENOSPC` if the disk counts as full.
    package func checkFreeSpace() throws(SystemError) {
        var path = settings.root[...]
        while true {
            if let folder = try? Directory(opening: path.isEmpty ? "/" : String(path)) {
                guard try folder.freeBytes() <= settings.minimumFree else { return }
                throw SystemError("write", path: settings.root, code: ENOSPC)
            }
            guard let above = path.splitAtLastSlash?.above else { return }
            path = above
        }
    }

    package func once() async throws(FeedError) -> FirstAnswer {
        let client = settings.client()
        let feed = settings.feed(through: client, apiKey: apiKey)
        let page = try await feed.newest()
        return FirstAnswer(client: client, feed: AnsweredFeed(feed, answer: page))
    }

    /// Requests it again after each failure, with growing delays, and keeps the service manager content.
    package func untilAnswered(
        log: Log, notifying manager: ServiceManager
    ) async throws -> FirstAnswer {
        try await withThrowingTaskGroup(of: FirstAnswer?.self) { group in
            group.addTask { try await repeated(log, manager) }
            group.addTask {
                try await LoopClock().sleep(for: Self.longestStart)
                manager.notify(.ready)
                return nil
            }
            if let interval = manager.watchdog {
                let watchdog = Watchdog(interval: interval, loops: [], log: log) {
                    manager.notify(.alive)
                }
                group.addTask {
                    try await watchdog.run()
                    return nil
                }
            }
            defer { group.cancelAll() }
            while let answer = try await group.next() {
                if let answer { return answer }
            }
            throw CancellationError()
        }
    }

    private func repeated(_ log: Log, _ manager: ServiceManager) async throws -> FirstAnswer {
        let heartbeat = Heartbeat()
        for failures in 1... {
            do {
                return try await once()
            } catch {
                try Task.checkCancellation()
                log.warning(
                    "\(error); nothing is created in \(settings.root) before NASA answers",
                    about: "the first answer")
            }
            manager.notify(.ready)
            manager.notify(.status("waiting for NASA's first answer"))
            let next = Date().addingTimeInterval(Schedule.pause(afterFailures: failures))
            _ = try await wakeReasons.waitForSync(until: next, answering: heartbeat)
        }
        throw CancellationError()
    }

    /// Ends the pause between two requests.
    package func repeatNow() { wakeReasons.send(.sync) }
}

/// A feed whose first result page is here already.
private struct AnsweredFeed: Feed {
    private let feed: any Feed
    private let answer: Monitor<FeedPage?>

    init(_ feed: any Feed, answer: FeedPage) {
        self.feed = feed
        self.answer = Monitor(answer)
    }

    var kind: FeedKind { feed.kind }

    func newest() async throws(FeedError) -> FeedPage {
        let answer = answer.withLock { answer in
            defer { answer = nil }
            return answer
        }
        if let answer { return answer }
        return try await feed.newest()
    }

    func entry(of day: Day) async throws(FeedError) -> Entry { try await feed.entry(of: day) }

    func pager(
        over days: ClosedRange<Day>, permit: @escaping RequestPermit
    ) async throws(FeedError) -> any FeedPager {
        try await feed.pager(over: days, permit: permit)
    }
}
