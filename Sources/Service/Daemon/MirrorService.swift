internal import FoundationEssentials
internal import Mirror
internal import Platform
internal import Transfer

/// Syncs with NASA on schedule and on request.
package struct MirrorService: DaemonService {
    let synchronizer: Synchronizer
    let schedule: Schedule
    let log: Log
    /// The requests of other services.
    let wakeReasons: CoalescingSignal<WakeReason>
    /// Notified of each downloaded day at once.
    let changes: ChangeBroadcaster
    var didReceive: @Sendable (SyncEvent) -> Void = { _ in }
    /// May take minutes.
    var willSync: @Sendable () -> Void = {}
    var didSync: @Sendable (SyncSummary) -> Void = { _ in }
    /// May take minutes; returns whether damaged files are to be downloaded again at once.
    var verify: @Sendable (SyncSummary) -> Bool = { _ in false }
    var willSleep: @Sendable (SyncSummary, _ until: Date) -> Void = { _, _ in }
    /// The time after which a sync begins no further days of the backlog: new days, requests and favorites wait no
    /// longer.
    private static let slice = Duration.seconds(60)
    private let heartbeat = Heartbeat()
    private let currentEvents = Monitor(SyncEvents?.none)

    /// Returns after the next iteration of the loop or the next progress of a sync; see ``Watchdog``.
    package func ping() async throws {
        try await heartbeat.next {
            wakeReasons.send(.ping)
            currentEvents.withLock { $0 }?.ping()
        }
    }

    package func run() async throws {
        var failures = 0
        // At start, transient failures are retried at once: the machine may have been down for weeks.
        var retry = SyncPlan.Retry.transient
        var logger = SyncLogger(log: log)
        while true {
            // Between two syncs: both publish days.
            Heartbeat.$current.withValue(heartbeat) { willSync() }
            try synchronizer.checkIsInPlace()
            try Task.checkCancellation()
            let summary = try await sync(retry: retry, &logger)
            didSync(summary)
            let needsSync = Heartbeat.$current.withValue(heartbeat) { verify(summary) }
            try Task.checkCancellation()
            guard !needsSync else {
                retry = .due
                continue
            }
            failures = summary.needsEarlyRetry ? failures + 1 : 0
            let next = schedule.next(after: Date(), summary, failures: failures)
            log.debug("next sync: \(next.timestamp)")
            willSleep(summary, next)
            let isRequested = try await wakeReasons.waitForSync(until: next, answering: heartbeat)
            retry = isRequested ? .transient : .due
        }
    }

    private func sync(
        retry: SyncPlan.Retry, _ logger: inout SyncLogger
    ) async throws -> SyncSummary {
        let end = ContinuousClock.now + Self.slice
        // Before its first event it may read a whole tree that was copied: each file is a sign of life.
        let events = Heartbeat.$current.withValue(heartbeat) {
            synchronizer.sync(retry: retry) { ContinuousClock.now >= end }
        }
        currentEvents.withLock { $0 = events }
        defer { currentEvents.withLock { $0 = nil } }
        heartbeat.signal()
        var stallDetector = StallDetector(from: .now)
        for await event in events {
            let isProgressing = stallDetector.isProgressing(
                event, bytes: synchronizer.traffic.withLock(\.self),
                requests: synchronizer.transferMetrics.count.requests, now: .now)
            if isProgressing { heartbeat.signal() }
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

extension CoalescingSignal<WakeReason> {
    /// Waits until `time`, or until a sync is requested or the clock is set; each ping signals `heartbeat`.
    ///
    /// - Returns: Whether the next sync also retries transient failures: `false` at `time`.
    func waitForSync(until time: Date, answering heartbeat: Heartbeat) async throws -> Bool {
        let timer = try WallTimer(at: time.timeIntervalSince1970)
        while true {
            let reasons = try await next(onReadable: timer.descriptor)
            heartbeat.signal()
            if reasons.contains(.sync) { return true }
            if let wasSet = timer.wasSet { return wasSet }
        }
    }
}

extension SyncSummary {
    /// Whether the next sync comes within minutes, see ``Schedule``.
    fileprivate var needsEarlyRetry: Bool { isObstructed && !isOutOfSpace }
}

extension SyncEvent {
    fileprivate var changesTree: Bool {
        guard case .day(let outcome) = self else { return false }
        return switch outcome.result {
        case .downloaded, .returned, .removed, .edited: true
        case .incomplete(_, _, let record): record != nil
        case .unchanged, .noSpace: false
        }
    }
}

/// Why a sleeping ``MirrorService`` is woken.
struct WakeReason: OptionSet, Hashable {
    let rawValue: Int

    /// A sync is requested.
    static let sync = WakeReason(rawValue: 1)
    static let ping = WakeReason(rawValue: 2)
}

/// Detects a stalled sync: one without events, received bytes and ended requests for too long.
///
/// A slow server is no stall; no request survives that long without a single byte. The time in which the
/// machine is suspended does not count.
struct StallDetector {
    /// Longer than any request takes without a byte, with the pause before it: at most the longest `--pace`.
    static let timeout = Duration.seconds(1800)

    private let timeout: Duration
    private var bytes = 0
    private var requests = 0
    private var latest: SuspendingClock.Instant

    init(from start: SuspendingClock.Instant, timeout: Duration = Self.timeout) {
        self.timeout = timeout
        latest = start
    }

    /// Returns whether the sync made progress recently; `bytes` are those received so far, and `requests` have
    /// ended, also with a failure.
    mutating func isProgressing(
        _ event: SyncEvent, bytes: Int, requests: Int, now: SuspendingClock.Instant
    ) -> Bool {
        var isProgress = bytes != self.bytes || requests != self.requests
        if case .alive = event {} else { isProgress = true }
        if isProgress {
            (self.bytes, self.requests) = (bytes, requests)
            latest = now
        }
        return latest.duration(to: now) < timeout
    }
}
