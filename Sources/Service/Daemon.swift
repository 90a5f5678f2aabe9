internal import FoundationEssentials
package import Mirror
package import Platform

/// The service: looks at NASA, sleeps until the next look makes sense, for ever.
///
/// Cancellation is its only end; whatever it is doing then, nothing is left half done.
package struct Daemon: Sendable {
    private let synchronizer: Synchronizer
    private let schedule: Schedule
    private let log: Log
    private let bell: Bell
    private let didPass: @Sendable () -> Void

    /// - Parameters:
    ///   - synchronizer: What a look does.
    ///   - schedule: When the looks are.
    ///   - log: Where it tells what happens.
    ///   - bell: Rung when somebody wants a look now.
    ///   - didPass: Called after each look: the tree may have more.
    package init(
        _ synchronizer: Synchronizer, _ schedule: Schedule, log: Log, bell: Bell,
        didPass: @escaping @Sendable () -> Void = {}
    ) {
        self.synchronizer = synchronizer
        self.schedule = schedule
        self.log = log
        self.bell = bell
        self.didPass = didPass
    }

    /// Runs until the task is cancelled.
    package func run() async throws {
        var failures = 0
        // The first look is that of a machine that may have been down for weeks.
        var isEager = true
        var reporter = PassReporter(log: log)
        while true {
            let events = synchronizer.pass(isEager: isEager)
            for await event in events { reporter.take(event) }
            let summary = await events.summary()
            try Task.checkCancellation()
            reporter.finish(summary)
            didPass()
            failures = summary.isOutOfReach ? failures + 1 : 0
            isEager = try await sleep(
                until: schedule.next(after: Date(), summary, failures: failures))
        }
    }

    /// - Returns: Whether the next look is one that somebody asked for, or the clock was set.
    private func sleep(until time: Date) async throws -> Bool {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await WallTimer.sleep(until: time.timeIntervalSince1970) == .clockChanged
            }
            group.addTask {
                try await bell.wait()
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
