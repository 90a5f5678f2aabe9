internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// Whether NASA can be reached, and answers in a shape that the mirror knows.
struct FeedCheck {
    private let feed: any Feed
    private let now: @Sendable () -> Date

    init(_ feed: any Feed, now: @escaping @Sendable () -> Date) {
        self.feed = feed
        self.now = now
    }

    private static let name = "nasa"

    /// - Throws: `CancellationError`.
    func finding() async throws -> CheckResult {
        let start = ContinuousClock.now
        do throws(FeedError) {
            let page = try await feed.newest()
            let time = Int(start.duration(to: .now) / .milliseconds(1))
            return judgement(of: page, after: time)
        } catch .transfer(.cancelled) {
            throw CancellationError()
        } catch {
            return Self.problem(error)
        }
    }

    private func judgement(of page: FeedPage, after milliseconds: Int) -> CheckResult {
        guard let newest = page.entries.first else {
            return .problem(Self.name, "it answers an empty list", "check --upstream and --feed")
        }
        let text =
            "answers in the shape “\(feed.kind.rawValue)” within \(milliseconds) ms, the newest entry"
            + " is \(newest.day) “\(newest.title)”"
        let age = now().timeIntervalSince1970 - Double(newest.day.number * 86_400)
        if age > 2 * 86_400 {
            return .note(
                Self.name, "\(text): nothing new for \(counted(Int(age / 86_400), "day"))", nil)
        }
        // Tomorrow has begun somewhere.
        if age < -86_400 {
            return .note(Self.name, "\(text), which is yet to come", "check the clock")
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
                "check --upstream and --feed; where they are right, NASA changed: update apod-mirror"
            )
        }
    }
}
