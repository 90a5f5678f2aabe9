internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform
internal import Transfer

/// Checks of the clock, and of the connection to NASA.
extension Doctor {
    /// The difference of the clocks that is no problem, in seconds.
    private static let clockTolerance = 3600.0

    /// Whether the clock is near that of NASA's server, and not before the newest entry or this program.
    var clock: Outcome {
        let now = now()
        let text = "the time is \(now.timestamp)"
        let remedy = "set the clock: timedatectl set-ntp true"
        if let time = serverTime(),
            abs(now.timeIntervalSince1970 - time) > Self.clockTolerance
        {
            let server = Date(timeIntervalSince1970: time).timestamp
            return .problem("\(text), and \(server) by the clock of NASA's server", remedy: remedy)
        }
        if let newest = newestRecorded, now.timeIntervalSince1970 < Double(newest.number * 86_400) {
            return .problem("\(text), before the newest entry, \(newest)", remedy: remedy)
        }
        // Packages preserve the modification time of the program's file.
        let built = Double(Installation.modified)
        if now.timeIntervalSince1970 < built - 86_400 {
            let day = Date(timeIntervalSince1970: built).timestamp.prefix(10)
            return .problem("\(text), before this program was built, \(day)", remedy: remedy)
        }
        return .ok(text)
    }

    private var newestRecorded: Day? {
        guard let tree = tree else { return nil }
        if let newest = try? Store(reading: tree).state().newest { return newest }
        return (try? TreeSnapshot(of: tree.root)).flatMap {
            PlausibleDates.withoutClock.newest(of: $0.complete)
        }
    }

    // MARK: NASA

    /// Whether NASA can be reached and serves a known format.
    ///
    /// - Throws: `CancellationError`.
    func newestEntry(of feed: any Feed) async throws -> Outcome {
        let start = ContinuousClock.now
        do throws(FeedError) {
            let page = try await feed.newest()
            let time = Int(start.duration(to: .now) / .milliseconds(1))
            guard let newest = page.entries.first else {
                return .problem("NASA's list is empty", remedy: "check --upstream and --feed")
            }
            return judgement(
                of: newest.day,
                """
                responds in \(time) ms with the feed “\(feed.kind.rawValue)”; the newest entry is \
                \(newest.day) “\(newest.title)”
                """)
        } catch .transfer(.cancelled) {
            throw CancellationError()
        } catch {
            let remedy =
                if case .transfer = error {
                    "check the network, the proxy, the clock and --upstream"
                } else {
                    "check --upstream and --feed; if they are right, NASA changed its feed: update apod-mirror"
                }
            return .problem("\(error)", remedy: remedy)
        }
    }

    private func judgement(of newest: Day, _ text: String) -> Outcome {
        let age = now().timeIntervalSince1970 - Double(newest.number * 86_400)
        if age > 2 * 86_400 {
            return .note(
                "\(text), \(counted(Int(age / 86_400), "day")) old",
                remedy: "wait for NASA; if its site shows a newer picture, check --upstream")
        }
        // Time zones are up to a day ahead.
        if age < -86_400 {
            return .note("\(text), which is in the future", remedy: "check the clock")
        }
        return .ok(text)
    }
}
