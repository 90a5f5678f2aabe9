internal import APOD
internal import Platform
internal import Transfer

/// Checks whether NASA can be reached and serves a feed that this program knows.
struct FeedCheck {
    let feed: any Feed

    /// - Throws: `CancellationError`.
    func run() async throws -> CheckResult.Outcome {
        let changedFeedRemedy =
            "check --upstream and --feed; if they are right, NASA changed its feed: update apod-mirror"
        let start = ContinuousClock.now
        do throws(FeedError) {
            let page = try await feed.newestPage()
            let time = Int(start.duration(to: .now) / .milliseconds(1))
            guard let newest = page.entries.first else {
                return .problem("NASA's list is empty", remedy: changedFeedRemedy)
            }
            let text = """
                responds in \(time) ms with the feed “\(feed.kind.rawValue)”; the newest entry is \
                \(newest.day) “\(newest.title)”
                """
            guard let rejection = page.rejections.first else { return .ok(text) }
            let entries = counted(page.entries.count + page.rejections.count, "entry", "entries")
            return .note(
                "\(text); \(page.rejections.count) of \(entries) not valid: \(rejection.reason)",
                remedy: "none, unless it lasts: then update apod-mirror, as NASA changed its feed")
        } catch .transfer(.cancelled) {
            throw CancellationError()
        } catch .transfer(let error) {
            return .problem(
                "\(error)", remedy: "check the network, the proxy, the clock and --upstream")
        } catch {
            return .problem("\(error)", remedy: changedFeedRemedy)
        }
    }
}
