internal import APOD
internal import Platform
internal import Transfer

/// The check of `doctor` that requests NASA's newest entries: whether NASA responds, and with a feed that this program knows.
struct FeedCheck {
    let feed: any Feed

    private static let remedyOfChangedFeed =
        "check --upstream and --feed; if they are right, NASA changed its feed: update apod-mirror"
    private static let remedyOfRejectedEntry =
        "none, unless it lasts: then update apod-mirror, as NASA changed its feed"
    private static let remedyOfFailedRequest =
        "check the network, the proxy, the clock and --upstream"

    /// Requests the newest entries, and measures how long NASA takes to respond.
    ///
    /// - Throws: `CancellationError`.
    func run() async throws -> CheckResult.Outcome {
        let start = ContinuousClock.now
        do throws(FeedError) {
            let page = try await feed.newestPage()
            return outcome(of: page, after: start.duration(to: .now))
        } catch .transfer(.cancelled) {
            throw CancellationError()
        } catch .transfer(let error) {
            return .problem("\(error)", remedy: Self.remedyOfFailedRequest)
        } catch {
            return .problem("\(error)", remedy: Self.remedyOfChangedFeed)
        }
    }

    /// The outcome of a request that returned `page`.
    private func outcome(of page: FeedPage, after time: Duration) -> CheckResult.Outcome {
        guard let newest = page.entries.first else {
            return .problem("NASA's list is empty", remedy: Self.remedyOfChangedFeed)
        }
        let milliseconds = Int(time / .milliseconds(1))
        let text = """
            responds in \(milliseconds) ms with the feed “\(feed.kind.rawValue)”; the newest entry is \
            \(newest.day) “\(newest.title)”
            """
        guard let rejection = page.rejections.first else { return .ok(text) }
        let total = counted(page.entries.count + page.rejections.count, "entry", "entries")
        return .note(
            "\(text); \(page.rejections.count) of \(total) not valid: \(rejection.reason)",
            remedy: Self.remedyOfRejectedEntry)
    }
}
