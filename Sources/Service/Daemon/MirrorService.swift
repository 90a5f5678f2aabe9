package import FoundationEssentials
package import Mirror
package import Platform

/// Keeps the days: looks at NASA, sleeps until the next look makes sense, for ever.
package struct MirrorService: DaemonService {
    private let synchronizer: Synchronizer
    private let schedule: Schedule
    private let log: Log
    private let changes: ChangeBroadcaster
    private let calls: CoalescingSignal<WakeReason>
    private let didHappen: @Sendable (SyncEvent) -> Void
    private let didPass: @Sendable (SyncSummary) -> Void
    private let willSleep: @Sendable (SyncSummary, _ until: Date) -> Void
    private let pulse = Heartbeat()
    private let current = Monitor(SyncEvents?.none)

    /// - Parameters:
    ///   - synchronizer: What a look does.
    ///   - schedule: When the looks are.
    ///   - log: Where it tells what happens.
    ///   - calls: Where others ask for a look.
    ///   - changes: Told of each day as soon as it is there.
    ///   - didHappen: Called with each event of a look.
    ///   - didPass: Called after each look with what it came to.
    ///   - willSleep: Called with what a look came to and the moment of the next one.
    package init(
        _ synchronizer: Synchronizer, _ schedule: Schedule, log: Log,
        calls: CoalescingSignal<WakeReason>, changes: ChangeBroadcaster,
        didHappen: @escaping @Sendable (SyncEvent) -> Void = { _ in },
        didPass: @escaping @Sendable (SyncSummary) -> Void = { _ in },
        willSleep: @escaping @Sendable (SyncSummary, _ until: Date) -> Void = { _, _ in }
    ) {
        self.synchronizer = synchronizer
        self.schedule = schedule
        self.log = log
        self.calls = calls
        self.changes = changes
        self.didHappen = didHappen
        self.didPass = didPass
        self.willSleep = willSleep
    }

    /// Returns once the loop has gone round, or the look under way got on; see ``Watchdog``.
    package func answer() async throws {
        try await pulse.next {
            calls.put(.answer)
            current.withLock { $0 }?.ask()
        }
    }

    package func run() async throws {
        var failures = 0
        // The first look is that of a machine that may have been down for weeks.
        var retry = SyncPlan.Retry.transient
        var reporter = SyncLogger(log: log)
        while true {
            let summary = try await pass(retry: retry, &reporter)
            didPass(summary)
            failures = summary.isOutOfReach ? failures + 1 : 0
            let next = schedule.next(after: Date(), summary, failures: failures)
            log.debug("the next look at NASA is at \(next.timestamp)")
            willSleep(summary, next)
            retry = try await sleep(until: next) ? .transient : .due
        }
    }

    private func pass(
        retry: SyncPlan.Retry, _ reporter: inout SyncLogger
    ) async throws -> SyncSummary {
        let events = synchronizer.pass(retry: retry)
        current.withLock { $0 = events }
        defer { current.withLock { $0 = nil } }
        pulse.beat()
        var headway = StallDetector(from: .now)
        for await event in events {
            let bytes = synchronizer.traffic.bytes
            if headway.isMade(event, bytes: bytes, now: .now) { pulse.beat() }
            reporter.take(event)
            didHappen(event)
            if event.changesTree { changes.tell(.days) }
        }
        let summary = await events.summary()
        try Task.checkCancellation()
        reporter.finish(summary)
        return summary
    }

    /// - Returns: Whether the next look is one that somebody asked for, or the clock was set.
    private func sleep(until time: Date) async throws -> Bool {
        while true {
            switch try await wake(by: time) {
            case .timer(.onTime): return false
            case .timer(.clockChanged): return true
            case .call(let call):
                pulse.beat()
                if call.contains(.look) { return true }
            }
        }
    }

    private enum Wake {
        case timer(WallTimer.Wake)
        case call(WakeReason)
    }

    private func wake(by time: Date) async throws -> Wake {
        try await withThrowingTaskGroup(of: Wake.self) { group in
            group.addTask { .timer(try await WallTimer.sleep(until: time.timeIntervalSince1970)) }
            group.addTask { .call(try await calls.next()) }
            defer { group.cancelAll() }
            return try await group.next() ?? .timer(.onTime)
        }
    }
}

extension SyncSummary {
    fileprivate var isOutOfReach: Bool {
        switch obstacle {
        case .unreachable, .unusable, .readOnly, .failed: true
        case .noSpace, nil: false
        }
    }
}

extension SyncEvent {
    fileprivate var changesTree: Bool {
        guard case .day(let outcome) = self else { return false }
        return switch outcome.result {
        case .kept, .edited: true
        case .pending(_, _, let record): record != nil
        case .unchanged, .noSpace: false
        }
    }
}
