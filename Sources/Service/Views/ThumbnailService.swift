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
    /// Called after each round.
    var didMake: @Sendable (ThumbnailSummary) -> Void = { _ in }

    /// The time between two rounds, so that one round makes the thumbnails of several new days.
    private static let minimumPause = Duration.seconds(1)
    /// The maximum number of failures that are logged one by one.
    private static let maximumLines = 3

    /// Whether the thumbnailer is installed.
    var isAvailable: Bool { thumbnails.isAvailable }

    /// Why there is another round even if no days arrive, and when.
    private enum Retry {
        /// There is none.
        case none
        /// Single pictures failed.
        case failures(at: ContinuousClock.Instant)
        /// The disk is full.
        case fullDisk(at: ContinuousClock.Instant)
        /// All pictures failed, in `rounds` rounds in a row.
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
            // A person has asked for it, after a change of permissions for example.
            if change == .all { thumbnails.forgetDiskErrors() }
            let start = Date()
            let summary = await makeMissing()
            retry = nextRetry(
                after: summary, startedAt: start, earlier: retry, wasRetry: change.isEmpty)
            earliest = .now + Self.minimumPause
        }
    }

    /// The retry after a round with this `summary`, which was itself the retry `earlier` if it `wasRetry`.
    private func nextRetry(
        after summary: ThumbnailSummary, startedAt start: Date, earlier: Retry, wasRetry: Bool
    ) -> Retry {
        guard summary.missing > 0 || !summary.failures.isEmpty else { return .none }
        if summary.isDiskFull { return .fullDisk(at: .now + RetryDelay.thumbnailSpace) }
        guard summary.obstacle != nil else {
            return .failures(at: .now + thumbnails.retryDelay(since: start))
        }
        var rounds = 1
        // A round for new days comes before the time of the retry, and does not lengthen the delay.
        if case .obstacle(let before, _) = earlier, summary.made == 0 {
            rounds = before + (wasRetry ? 1 : 0)
        }
        return .obstacle(rounds: rounds, at: .now + backoff.delay(after: rounds))
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
            // Not only after a success: on a full disk, the removal frees space.
            if try thumbnails.removeRenditions(except: needed) { changes.broadcast(.thumbnails) }
            if summary.obstacle == nil {
                await make(try thumbnails.missingRenditions(among: needed), &summary)
            }
        } catch {
            if !Task.isCancelled { summary.record(error) }
        }
        if summary.made > 0 { log.debug("made \(counted(summary.made, "thumbnail"))") }
        summary.failures.limited(to: Self.maximumLines) { counted($0, "more failure") }
            .forEach { log.warning($0) }
        if !Task.isCancelled { didMake(summary) }
        return summary
    }

    private func make(_ jobs: [JPEGJob], _ summary: inout ThumbnailSummary) async {
        await thumbnails.make(jobs) { job, result in
            summary.record(result, of: job)
            if case .success = result { changes.broadcast(.thumbnails) }
        }
    }
}

/// What one round of ``ThumbnailService`` made, and what it could not make.
package struct ThumbnailSummary: Hashable, Sendable {
    /// The number of thumbnails that the round made; renditions are not counted.
    private(set) var made = 0
    /// The number of thumbnails that are still missing.
    package fileprivate(set) var missing = 0
    /// Why the first of them could not be made; `nil` if none failed.
    package private(set) var reason: String?
    /// Why no thumbnail at all can be made; `nil` if some can.
    private(set) var obstacle: ThumbnailFailure?
    /// The first failure to read or write a file; `nil` if there is none, or if pictures failed for other reasons.
    private(set) var writeFailure: WriteFailure?
    /// Why thumbnails and renditions were not made, as sentences for the log.
    private(set) var failures: [String] = []

    package var isDiskFull: Bool {
        if case .system(let error) = obstacle { error.isNoSpace } else { false }
    }

    fileprivate mutating func record(_ result: Result<Void, ThumbnailFailure>, of job: JPEGJob) {
        guard case .failure(let failure) = result else {
            if job.isThumbnail { made += 1 }
            return
        }
        if job.isThumbnail { reason = reason ?? "\(failure)" }
        if case .cancelled = failure { return }
        if case .system(let error) = failure { recordWriteFailure(of: job.path, error) }
        if failure.affectsAllPictures {
            obstacle = failure
            // Only the first failures are logged, and this one explains more than the others.
            failures.insert("\(failure)", at: 0)
        } else {
            failures.append("cannot make \(job.path): \(failure)")
        }
    }

    /// Records the `error` that prevented the search for what is missing.
    fileprivate mutating func record(_ error: any Error) {
        obstacle = obstacle ?? .unavailable("\(error)")
        reason = reason ?? "\(error)"
        failures.append("cannot make thumbnails: \(error)")
        if let error = error as? SystemError { recordWriteFailure(of: "thumbnails", error) }
    }

    private mutating func recordWriteFailure(of files: String, _ error: SystemError) {
        writeFailure =
            writeFailure ?? WriteFailure(text: "cannot make \(files): \(error)", error: error)
    }
}
