internal import FoundationEssentials
internal import Mirror
internal import Platform
internal import Thumbnails

/// Makes missing thumbnails and renditions of pictures after downloads and after failures, newest days first.
///
/// The daemon runs it; a single sync calls ``makeMissing()`` at its end.
struct ThumbnailService: Sendable {
    let thumbnails: Thumbnails
    let log: Log
    /// The source of new days, which is notified of new thumbnails.
    let changes: ChangeBroadcaster
    var backoff = Backoff.thumbnails

    /// Days that arrive within this time make one round.
    private static let minimumPause = Duration.seconds(1)
    /// The maximum number of failures that are logged one by one.
    private static let maximumLines = 3

    /// Whether the thumbnailer is installed.
    var isAvailable: Bool { thumbnails.isAvailable }

    /// What the last round leaves to the next one.
    private enum Rest {
        case nothing
        /// Single pictures failed: they are tried again at this time.
        case failures(until: ContinuousClock.Instant)
        /// The disk is full: whether there is space again is checked at this time.
        case fullDisk(until: ContinuousClock.Instant)
        /// Something keeps all pictures away, for so many rounds in a row.
        case obstacle(rounds: Int, until: ContinuousClock.Instant)

        var deadline: ContinuousClock.Instant? {
            switch self {
            case .nothing: nil
            case .failures(let time), .fullDisk(let time), .obstacle(_, let time): time
            }
        }
    }

    func run() async throws {
        let listener = changes.makeListener()
        var earliest = ContinuousClock.now
        var rest = Rest.nothing
        while true {
            let change = try await listener.next(notBefore: earliest, by: rest.deadline)
            // Empty at the time of the retry.
            guard change.isEmpty || change.contains(.days) else { continue }
            if case .fullDisk = rest, !thumbnails.hasSpace {
                rest = .fullDisk(until: .now + RetryDelay.thumbnailSpace)
                continue
            }
            let start = Date()
            let summary = await makeMissing()
            rest = self.rest(of: summary, since: start, after: rest, isRetry: change.isEmpty)
            earliest = .now + Self.minimumPause
        }
    }

    private func rest(
        of summary: ThumbnailSummary, since start: Date, after earlier: Rest, isRetry: Bool
    ) -> Rest {
        guard summary.missing > 0 || !summary.failures.isEmpty else { return .nothing }
        if summary.isDiskFull { return .fullDisk(until: .now + RetryDelay.thumbnailSpace) }
        guard summary.obstacle != nil else {
            return .failures(until: .now + thumbnails.retryDelay(since: start))
        }
        var rounds = 1
        // A round before its time, for new days, does not lengthen the delay.
        if case .obstacle(let before, _) = earlier, summary.made == 0 {
            rounds = before + (isRetry ? 1 : 0)
        }
        return .obstacle(rounds: rounds, until: .now + backoff.delay(after: rounds))
    }

    /// Makes all missing thumbnails, then renditions.
    @discardableResult
    func makeMissing() async -> ThumbnailSummary {
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
