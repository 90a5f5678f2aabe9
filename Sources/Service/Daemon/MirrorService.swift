internal import FoundationEssentials
internal import Mirror
internal import Platform
internal import Transfer

/// Syncs with NASA on schedule and on request; ``MirrorAssembly`` does what follows a sync.
///
/// A sync ends after a minute, or when another one is requested. Its downloads go on while the next sync asks NASA for
/// new days.
package struct MirrorService: Sendable {
    /// What the service reports to the daemon, in its own task.
    enum Event: Sendable {
        case syncBegan
        case syncReported(SyncEvent)
        case syncEnded(SyncSummary)
        /// The service now waits for its next sync; the last one had this result.
        case waitBegan(SyncSummary, until: Date)
    }

    let synchronizer: Synchronizer
    let schedule: Schedule
    let log: Log
    let wakeReasons: CoalescingSignal<WakeReason>
    let changes: ChangeBroadcaster
    var notify: @Sendable (Event) -> Void = { _ in }

    // MARK: What tests replace

    /// The time after which a sync begins no more days of the backlog, and no longer waits for downloads.
    var longestSync = Duration.seconds(60)
    /// The shortest time between the starts of two syncs if a change of the clock causes the second one.
    var pauseAfterClockChange = Duration.seconds(60)
    /// The wall clock.
    var now: @Sendable () -> Date = { Date() }
    /// How a timer of the wall clock has ended; `nil` if it still runs.
    var timerEnding: @Sendable (borrowing WallTimer) -> WallTimer.Ending? = { $0.takeEnding() }

    // MARK: Syncs

    /// Syncs until the task is cancelled, or the mirror is no longer at its path; then cancels all downloads.
    package func run() async throws {
        do {
            try await syncRepeatedly()
        } catch {
            await synchronizer.cancelDownloads()
            throw error
        }
    }

    private func syncRepeatedly() async throws {
        /// The number of syncs in a row that an obstacle ended.
        var failures = 0
        // At the start, transient failures are retried at once, because their cause may be gone since the last run.
        var retry = SyncPlan.Retry.transient
        var logger = SyncLogger(log: log)
        while true {
            let start = ContinuousClock.now
            try synchronizer.checkIsInPlace()
            try Task.checkCancellation()
            // This sync fulfills the requests that came until now, such as that of the first scan of favorites.
            if let reasons = wakeReasons.receive(), reasons.contains(.request) {
                retry = .transient
            }
            let summary = try await sync(retry: retry, &logger)
            // The schedule has another delay for a full disk, which does not grow.
            let countsAsFailure = summary.obstacle != nil && !summary.isOutOfSpace
            failures = countsAsFailure ? failures + 1 : 0
            let next = schedule.next(after: now(), summary, failures: failures)
            log.debug("next sync: \(next.timestamp)")
            notify(.waitBegan(summary, until: next))
            let end = try await wakeReasons.wait(
                until: next, earliestAfterClockChange: start + pauseAfterClockChange,
                takeEnding: timerEnding)
            switch end {
            case .scheduledTime, .freeSlot: retry = .due
            case .clockSet, .request: retry = .transient
            }
        }
    }

    private func sync(
        retry: SyncPlan.Retry, _ logger: inout SyncLogger
    ) async throws -> SyncSummary {
        notify(.syncBegan)
        // A sync at its scheduled time reuses what the last walk over the tree found. After a start, a request or a change of
        // the clock, a person may have changed the tree.
        let events = synchronizer.sync(retry: retry, reusesWalk: retry == .due)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                // The only error is a cancellation, which ends the sync, too.
                try? await wakeReasons.wait(by: ContinuousClock.now + longestSync)
                events.end()
            }
            for await event in events {
                logger.record(event)
                notify(.syncReported(event))
                if event.changesTree { changes.broadcast(.days) }
            }
            group.cancelAll()
        }
        let summary = await events.summary()
        try Task.checkCancellation()
        logger.finish(summary)
        notify(.syncEnded(summary))
        return summary
    }
}

extension SyncEvent {
    fileprivate var changesTree: Bool {
        guard case .day(let outcome) = self else { return false }
        return switch outcome.result {
        case .downloaded, .removed, .edited: true
        // The record of the day, which says why there is no picture, may be new.
        case .incomplete, .missing, .partial: outcome.didPublish
        case .cancelled, .unchanged, .noSpace: false
        }
    }
}
