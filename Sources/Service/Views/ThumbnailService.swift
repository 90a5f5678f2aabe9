internal import FoundationEssentials
internal import Mirror
package import Platform
package import Thumbnails

/// Makes missing thumbnails and renditions of pictures after downloads and after failures, newest days first.
///
/// The daemon runs it; a single sync calls ``makeMissing()`` at its end.
package struct ThumbnailService: Sendable {
    private let thumbnails: Thumbnails
    private let log: Log
    private let changes: ChangeBroadcaster
    private let listener: ChangeListener
    private let backoff: Backoff

    /// `changes` is the source of new days, and notified of new thumbnails.
    package init(
        _ thumbnails: Thumbnails, log: Log, changes: ChangeBroadcaster,
        backoff: Backoff = .thumbnails
    ) {
        self.thumbnails = thumbnails
        self.log = log
        self.changes = changes
        self.backoff = backoff
        listener = changes.makeListener()
    }

    /// Days that arrive within this time make one round.
    private static let minimumPause = Duration.seconds(1)
    /// The maximum number of failures that are logged one by one.
    private static let maximumLines = 3

    /// Whether the thumbnailer is installed.
    package var isAvailable: Bool { thumbnails.isAvailable }

    package func run() async throws {
        var earliest = ContinuousClock.now
        /// When a failure is retried, or a full disk is looked at; `nil` if nothing failed.
        var retry: ContinuousClock.Instant?
        var isDiskFull = false
        /// How many retries in a row an obstacle of all pictures ended before any was made, and the round before them.
        var failures = 0
        while true {
            let change = try await listener.next(notBefore: earliest, by: retry)
            // Empty at the time of the retry.
            guard change.isEmpty || change.contains(.days) else { continue }
            if isDiskFull, !thumbnails.hasSpace {
                retry = .now + RetryDelay.thumbnailSpace
                continue
            }
            let start = Date()
            let summary = await makeMissing()
            isDiskFull = summary.isDiskFull
            if summary.obstacle == nil || isDiskFull {
                failures = 0
            } else {
                // A round before its time, for new days, does not lengthen the delay.
                failures = summary.made > 0 ? 1 : max(1, failures + (change.isEmpty ? 1 : 0))
            }
            let delay =
                isDiskFull
                ? RetryDelay.thumbnailSpace
                : failures > 0
                    ? backoff.delay(after: failures) : thumbnails.retryDelay(since: start)
            retry = summary.missing > 0 || !summary.failures.isEmpty ? .now + delay : nil
            earliest = .now + Self.minimumPause
        }
    }

    /// Makes all missing thumbnails, then renditions.
    @discardableResult
    package func makeMissing() async -> ThumbnailSummary {
        var summary = ThumbnailSummary()
        do {
            let snapshot = try thumbnails.snapshots.current()
            await make(try thumbnails.missingThumbnails(in: snapshot), &summary)
            summary.missing = try thumbnails.count(in: thumbnails.snapshots.current()).missing
            let needed = try thumbnails.neededRenditions(in: snapshot)
            // Also on a full disk: it frees space.
            if try thumbnails.removeRenditions(except: needed) { changes.broadcast(.thumbnails) }
            if summary.obstacle == nil {
                await make(try thumbnails.missing(needed), &summary)
            }
        } catch {
            if !Task.isCancelled { summary.record(error) }
        }
        if summary.made > 0 { log.debug("made \(counted(summary.made, "thumbnail"))") }
        for line in summary.failures.limited(
            to: Self.maximumLines, { counted($0, "more failure") })
        {
            log.warning(line)
        }
        return summary
    }

    private func make(_ jobs: [JPEGJob], _ summary: inout ThumbnailSummary) async {
        await thumbnails.make(jobs) { job, result in
            summary.record(result, of: job)
            if case .success = result { changes.broadcast(.thumbnails) }
        }
    }
}
