package import FoundationEssentials
package import Mirror
package import Platform

/// Keeps the days: looks at NASA, sleeps until the next look makes sense, for ever.
package struct MirrorKeeper: Keeper {
    private let synchronizer: Synchronizer
    private let schedule: Schedule
    private let log: Log
    private let changes: TreeChanges
    private let calls: Mailbox<MirrorCall>
    private let didPass: @Sendable (SyncSummary) -> Void
    private let willSleep: @Sendable (_ until: Date) -> Void

    /// - Parameters:
    ///   - synchronizer: What a look does.
    ///   - schedule: When the looks are.
    ///   - log: Where it tells what happens.
    ///   - calls: Where others ask for a look.
    ///   - changes: Told of each day as soon as it is there.
    ///   - didPass: Called after each look with what it came to.
    ///   - willSleep: Called with the moment of the next one.
    package init(
        _ synchronizer: Synchronizer, _ schedule: Schedule, log: Log,
        calls: Mailbox<MirrorCall>, changes: TreeChanges,
        didPass: @escaping @Sendable (SyncSummary) -> Void = { _ in },
        willSleep: @escaping @Sendable (_ until: Date) -> Void = { _ in }
    ) {
        self.synchronizer = synchronizer
        self.schedule = schedule
        self.log = log
        self.calls = calls
        self.changes = changes
        self.didPass = didPass
        self.willSleep = willSleep
    }

    package func run() async throws {
        var failures = 0
        // The first look is that of a machine that may have been down for weeks.
        var isEager = true
        var reporter = PassReporter(log: log)
        while true {
            let summary = try await pass(isEager: isEager, &reporter)
            didPass(summary)
            failures = summary.isOutOfReach ? failures + 1 : 0
            let next = schedule.next(after: Date(), summary, failures: failures)
            willSleep(next)
            isEager = try await sleep(until: next)
        }
    }

    private func pass(isEager: Bool, _ reporter: inout PassReporter) async throws -> SyncSummary {
        let events = synchronizer.pass(isEager: isEager)
        for await event in events {
            reporter.take(event)
            if event.changesTree { changes.tell(.days) }
        }
        let summary = await events.summary()
        try Task.checkCancellation()
        reporter.finish(summary)
        return summary
    }

    /// - Returns: Whether the next look is one that somebody asked for, or the clock was set.
    private func sleep(until time: Date) async throws -> Bool {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await WallTimer.sleep(until: time.timeIntervalSince1970) == .clockChanged
            }
            group.addTask {
                _ = try await calls.next()
                return true
            }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
    }
}

extension SyncSummary {
    fileprivate var isOutOfReach: Bool {
        switch obstacle {
        case .unreachable, .unusable, .failed: true
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
