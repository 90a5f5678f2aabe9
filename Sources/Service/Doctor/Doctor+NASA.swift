internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform
internal import Transfer

/// Checks of the connection to NASA, and of the clock, which is compared with that of NASA's server.
extension Doctor {
    private static let oneDay = 86_400.0
    private static let changedFeedRemedy =
        "check --upstream and --feed; if they are right, NASA changed its feed: update apod-mirror"
    /// The difference of the clocks, in seconds, that is no problem: a schedule of hours does not depend on minutes.
    private static let clockTolerance = 3600.0

    /// Checks whether the clock is near that of NASA's server, and not before this program was built.
    ///
    /// The server's time is in the response that ``checkFeed(_:)`` got before; without one, the first of these checks is
    /// omitted.
    func checkClock() -> Outcome {
        let now = now()
        let text = "the time is \(now.timestamp)"
        let remedy = "set the clock: timedatectl set-ntp true"
        if let time = serverTime(),
            abs(now.timeIntervalSince1970 - time) > Self.clockTolerance
        {
            let server = Date(timeIntervalSince1970: time).timestamp
            return .problem("\(text), and \(server) by the clock of NASA's server", remedy: remedy)
        }
        // The modification time of the program's file is that of its build: packages preserve it. A day is tolerated,
        // as an archive may have kept a local time.
        let built = Date(timeIntervalSince1970: Double(Installation.modified))
        if built.timeIntervalSince(now) > Self.oneDay {
            let day = built.timestamp.prefix(10)
            return .problem("\(text), before this program was built, \(day)", remedy: remedy)
        }
        return .ok(text)
    }

    /// Checks whether NASA can be reached and serves a known format.
    ///
    /// - Throws: `CancellationError`.
    func checkFeed(_ feed: any Feed) async throws -> Outcome {
        let start = ContinuousClock.now
        do throws(FeedError) {
            let page = try await feed.newest()
            let time = Int(start.duration(to: .now) / .milliseconds(1))
            guard let newest = page.entries.first else {
                return .problem("NASA's list is empty", remedy: Self.changedFeedRemedy)
            }
            let text = """
                responds in \(time) ms with the feed “\(feed.kind.rawValue)”; the newest entry is \
                \(newest.day) “\(newest.title)”
                """
            if let rejection = page.rejections.first {
                let count = page.entries.count + page.rejections.count
                return .note(
                    "\(text); \(page.rejections.count) of \(counted(count, "entry", "entries")) not valid:"
                        + " \(rejection.reason)",
                    remedy:
                        "none, unless it lasts: then update apod-mirror, as NASA changed its feed")
            }
            return .ok(text)
        } catch .transfer(.cancelled) {
            throw CancellationError()
        } catch {
            let remedy =
                if case .transfer = error {
                    "check the network, the proxy, the clock and --upstream"
                } else {
                    Self.changedFeedRemedy
                }
            return .problem("\(error)", remedy: remedy)
        }
    }
}
