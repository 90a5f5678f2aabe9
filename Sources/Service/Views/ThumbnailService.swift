internal import FoundationEssentials
internal import Mirror
internal import Platform
internal import Thumbnails

/// Makes missing thumbnails and renditions of pictures after downloads and after failures, newest days first.
///
/// The daemon calls ``run()``; a single sync calls ``makeMissing()`` at its end.
struct ThumbnailService: Sendable {
    let thumbnails: Thumbnails
    let log: Log
    /// Notifies this service of new days, and other services of new thumbnails.
    let changes: ChangeBroadcaster
    var backoff = Backoff.thumbnails
    var didFinishRound: @Sendable (ThumbnailSummary) -> Void = { _ in }

    /// The time between two rounds, so that one round makes the thumbnails of several new days.
    private static let minimumPause = Duration.seconds(1)
    /// The maximum number of failures that a round logs.
    private static let maximumLines = 3

    var isAvailable: Bool { thumbnails.isAvailable }

    /// Why there is another round even if no days arrive, and when.
    enum Retry: Hashable {
        case none
        /// Single pictures failed.
        case failures(at: ContinuousClock.Instant)
        /// The disk has too little free space, which is cheap to check.
        case fullDisk(at: ContinuousClock.Instant)
        /// All pictures failed, in `rounds` rounds in a row, as with a quota that is used up: only a write shows its end.
        case obstacle(rounds: Int, at: ContinuousClock.Instant)

        var time: ContinuousClock.Instant? {
            switch self {
            case .none: nil
            case .failures(let time), .fullDisk(let time), .obstacle(_, let time): time
            }
        }
    }

    func run() async throws {
        let listener = changes.makeListener()
        var earliest = ContinuousClock.now
        var retry = Retry.none
        while true {
            let change = try await listener.next(notBefore: earliest, by: retry.time)
            // The change is empty at the time of the retry.
            guard change.isEmpty || change.contains(.days) else { continue }
            if case .fullDisk = retry, !thumbnails.hasSpace {
                retry = .fullDisk(at: .now + RetryDelay.thumbnailSpace)
                continue
            }
            // A person has requested it, for example after a change of permissions.
            if change == .all { thumbnails.forgetDiskErrors() }
            let start = Date()
            let summary = await makeMissing()
            retry = nextRetry(
                after: summary, startedAt: start, earlier: retry, wasRetry: change.isEmpty)
            earliest = .now + Self.minimumPause
        }
    }

    /// The retry after a round with this `summary`, which was itself the retry `earlier` if it `wasRetry`.
    func nextRetry(
        after summary: ThumbnailSummary, startedAt start: Date, earlier: Retry, wasRetry: Bool
    ) -> Retry {
        guard summary.missingCount > 0 || !summary.failures.isEmpty else { return .none }
        if summary.isDiskFull, !thumbnails.hasSpace {
            return .fullDisk(at: .now + RetryDelay.thumbnailSpace)
        }
        guard summary.obstacle != nil else {
            return .failures(at: .now + thumbnails.retryDelay(since: start))
        }
        var rounds = 1
        if case .obstacle(let before, _) = earlier, summary.madeCount == 0 {
            // A round for new days comes before the time of the retry, and does not lengthen the delay.
            rounds = wasRetry ? before + 1 : before
        }
        return .obstacle(rounds: rounds, at: .now + backoff.delay(after: rounds))
    }

    /// Makes one round: all missing thumbnails, then renditions.
    @discardableResult
    func makeMissing() async -> ThumbnailSummary {
        var summary = ThumbnailSummary()
        do {
            let snapshot = try thumbnails.snapshots.current()
            snapshot.thumbnailErrors.forEach { summary.recordUnlistedThumbnails($0) }
            await make(try thumbnails.missingThumbnails(in: snapshot), &summary)
            summary.missingCount = try thumbnails.count(in: thumbnails.snapshots.current()).missing
            try await updateRenditions(in: snapshot, &summary)
        } catch {
            if !Task.isCancelled { summary.recordFailedSearch(error) }
        }
        logResults(summary)
        if !Task.isCancelled { didFinishRound(summary) }
        return summary
    }

    private func updateRenditions(
        in snapshot: TreeSnapshot, _ summary: inout ThumbnailSummary
    ) async throws {
        let needed = try thumbnails.neededRenditions(in: snapshot)
        // Even after a failure, because on a full disk, the removal frees space.
        if try thumbnails.removeRenditions(except: needed) { changes.broadcast(.thumbnails) }
        guard summary.obstacle == nil else { return }
        await make(try thumbnails.missingRenditions(among: needed), &summary)
    }

    private func make(_ jobs: [JPEGJob], _ summary: inout ThumbnailSummary) async {
        await thumbnails.make(jobs) { job, result in
            if case .failure(let failure) = result { return summary.record(failure, of: job) }
            summary.recordSuccess(of: job)
            changes.broadcast(.thumbnails)
        }
    }

    private func logResults(_ summary: ThumbnailSummary) {
        if summary.madeCount > 0 { log.debug("made \(counted(summary.madeCount, "thumbnail"))") }
        let lines = summary.failures.limited(to: Self.maximumLines) { counted($0, "more failure") }
        for line in lines { log.warning(line) }
    }
}
