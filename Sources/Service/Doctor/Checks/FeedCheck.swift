internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// Checks that NASA can be reached and serves a known format.
struct FeedCheck {
    private let feed: any Feed
    private let now: @Sendable () -> Date

    init(_ feed: any Feed, now: @escaping @Sendable () -> Date) {
        self.feed = feed
        self.now = now
    }

    private static let name = "nasa"

    /// - Throws: `CancellationError`.
    func result() async throws -> CheckResult {
        let start = ContinuousClock.now
        do throws(FeedError) {
            let page = try await feed.newest()
            let time = Int(start.duration(to: .now) / .milliseconds(1))
            return result(of: page, after: time)
        } catch .transfer(.cancelled) {
            throw CancellationError()
        } catch {
            return Self.problem(error)
        }
    }

    private func result(of page: FeedPage, after milliseconds: Int) -> CheckResult {
        guard let newest = page.entries.first else {
            return .problem(Self.name, "NASA's list is empty", "check --upstream and --feed")
        }
        let text =
            "responds in \(milliseconds) ms with the feed “\(feed.kind.rawValue)”; the newest entry"
            + " is \(newest.day) “\(newest.title)”"
        let age = now().timeIntervalSince1970 - Double(newest.day.number * 86_400)
        if age > 2 * 86_400 {
            return .note(
                Self.name, "\(text), \(counted(Int(age / 86_400), "day")) old",
                "wait for NASA; if its site shows a newer picture, check --upstream")
        }
        // Time zones are up to a day ahead.
        if age < -86_400 {
            return .note(Self.name, "\(text), which is in the future", "check the clock")
        }
        return .ok(Self.name, text)
    }

    private static func problem(_ error: FeedError) -> CheckResult {
        switch error {
        case .transfer:
            .problem(name, "\(error)", "check the network, the proxy and --upstream")
        case .unusable, .notPublished:
            .problem(
                name, "\(error)",
                "check --upstream and --feed; if they are right, NASA changed its feed: update apod-mirror"
            )
        }
    }
}
