internal import FoundationEssentials
internal import Mirror
internal import Platform
internal import Transfer

/// Syncs with NASA on schedule and on request.
package struct MirrorService: DaemonService {
    let synchronizer: Synchronizer
    let schedule: Schedule
    let log: Log
    let wakeReasons: CoalescingSignal<WakeReason>
    /// Notified of each downloaded day at once.
    let changes: ChangeBroadcaster
    /// Called with each event of a sync.
    var didReceive: @Sendable (SyncEvent) -> Void = { _ in }
    /// Called before each sync; may take minutes.
    var willSync: @Sendable () -> Void = {}
    var didSync: @Sendable (SyncSummary) -> Void = { _ in }
    /// Verifies files after a sync; returns whether damaged ones are to be downloaded at once; may take minutes.
    var verify: @Sendable (SyncSummary) -> Bool = { _ in false }
    /// Called with the last sync and the time of the next.
    var willSleep: @Sendable (SyncSummary, _ until: Date) -> Void = { _, _ in }
    /// The time after which a sync begins no further days of the backlog: the next sync polls for new ones first.
    private static let slice = Duration.seconds(60)
    /// The longest normal time without a sign of life: longer than a request that gets no byte, and the pause of `--pace`
    /// before it.
    package static let patience = Duration.seconds(1800)
    var heartbeat = Heartbeat("the mirror service", patience: Self.patience)

    package func run() async throws {
        var failures = 0
        // At start, transient failures are retried at once: the cause may be gone since the last run.
        var retry = SyncPlan.Retry.transient
        var logger = SyncLogger(log: log)
        while true {
            // Before and not during a sync, as it may publish days, too.
            await heartbeat.signallingOpenedFiles { willSync() }
            try synchronizer.checkIsInPlace()
            try Task.checkCancellation()
            let summary = try await heartbeat.signallingOpenedFiles {
                try await sync(retry: retry, &logger)
            }
            didSync(summary)
            let needsSync = await heartbeat.signallingOpenedFiles { verify(summary) }
            try Task.checkCancellation()
            guard !needsSync else {
                retry = .due
                continue
            }
            failures = summary.needsEarlyRetry ? failures + 1 : 0
            let next = schedule.next(after: Date(), summary, failures: failures)
            log.debug("next sync: \(next.timestamp)")
            willSleep(summary, next)
            let isRequested = try await heartbeat.whileWaiting(
                until: .now + .seconds(next.timeIntervalSinceNow)
            ) {
                try await wakeReasons.waitForSync(until: next)
            }
            retry = isRequested ? .transient : .due
        }
    }

    private func sync(
        retry: SyncPlan.Retry, _ logger: inout SyncLogger
    ) async throws -> SyncSummary {
        let end = ContinuousClock.now + Self.slice
        let events = synchronizer.sync(retry: retry) { ContinuousClock.now >= end }
        for await event in events {
            heartbeat.signal()
            logger.record(event)
            didReceive(event)
            if event.changesTree { changes.broadcast(.days) }
        }
        let summary = await events.summary()
        try Task.checkCancellation()
        logger.finish(summary)
        return summary
    }
}

extension SyncSummary {
    /// Whether the next sync comes after a growing delay, see ``Schedule``.
    fileprivate var needsEarlyRetry: Bool { isObstructed && !isOutOfSpace }
}

extension SyncEvent {
    fileprivate var changesTree: Bool {
        guard case .day(let outcome) = self else { return false }
        return switch outcome.result {
        case .downloaded, .returned, .removed, .edited: true
        case .incomplete(_, _, let record): record != nil
        case .cancelled, .unchanged, .noSpace: false
        }
    }
}
