internal import FoundationEssentials
internal import Mirror
package import Platform
package import Views

/// Brings all views up to date after each change of the tree: the daemon runs it, a single sync calls ``update()``.
package struct ViewService: DaemonService {
    /// The result of bringing all views up to date.
    package struct Round: Sendable {
        /// The outcomes of all views.
        fileprivate var outcome = ViewOutcome()
        /// The titles of the views that are up to date.
        fileprivate var updated: [String] = []
        package fileprivate(set) var failures: [ViewFailure] = []

        /// The paths that were written.
        package var written: [String] { outcome.changedPaths }
    }

    private let views: [any View]
    private let changes: ChangeListener
    private let log: Log
    /// Reads what the views are made from.
    private let input: @Sendable () throws -> ViewInput
    /// Called in the daemon after each round, with the paths that were written.
    private let didUpdate: @Sendable (_ written: [String]) -> Void
    private let failurePause: Duration
    /// The problems that this process logged: each is logged once.
    private let reported = SharedValue(Set<String>())

    /// Changes that come within this time make one round.
    private static let minimumPause = Duration.seconds(1)

    package init(
        _ views: [any View], changes: ChangeListener, log: Log,
        failurePause: Duration = RetryDelay.view,
        input: @escaping @Sendable () throws -> ViewInput,
        didUpdate: @escaping @Sendable (_ written: [String]) -> Void = { _ in }
    ) {
        self.views = views
        self.changes = changes
        self.log = log
        self.failurePause = failurePause
        self.input = input
        self.didUpdate = didUpdate
    }

    var heartbeat: Heartbeat { changes.heartbeat }

    package func run() async throws {
        /// The failures that last, by the titles of their views.
        var failures: [String: String] = [:]
        var earliest = ContinuousClock.now
        var retry: ContinuousClock.Instant?
        while true {
            _ = try await changes.next(notBefore: earliest, by: retry)
            let work = TimedWork()
            let round = await heartbeat.signallingOpenedFiles { await update() }
            logChanges(of: &failures, after: round)
            // Also after a cancellation: it writes the metrics, from which the next process goes on.
            didUpdate(round.written)
            earliest = .now + max(Self.minimumPause, work.pause)
            let delay: Duration? =
                failures.isEmpty
                ? round.outcome.nextUpdate.map {
                    max(failurePause, .seconds($0.timeIntervalSinceNow))
                }
                : failurePause
            retry = delay.map { ContinuousClock.now + $0 }
        }
    }

    /// Logs each failure when it begins and when it is over.
    private func logChanges(of failures: inout [String: String], after round: Round) {
        for failure in round.failures {
            let before = failures.updateValue(failure.description, forKey: failure.title)
            if before != failure.description { log.error(failure.description) }
        }
        for title in round.updated where failures.removeValue(forKey: title) != nil {
            log.notice("updated \(title) again")
        }
    }

    /// Brings all views up to date once; the failure of one does not stop the others, a cancellation does.
    @discardableResult
    package func update() async -> Round {
        // A round of the whole archive takes megabytes.
        defer { returnFreeMemory() }
        var round = Round()
        let inputTitle = "the views"
        do {
            var input = try input()
            round.updated.append(inputTitle)
            for view in views {
                let title = type(of: view).title
                do {
                    try Task.checkCancellation()
                    let outcome = try await view.update(input)
                    // The next views show what this one wrote.
                    for day in outcome.changedDays {
                        input.rereadFiles(of: day)
                    }
                    round.outcome += outcome
                    round.updated.append(title)
                    for problem in outcome.problems
                    where reported.withLock({ $0.insert(problem).inserted }) {
                        log.notice(problem)
                    }
                } catch is CancellationError {
                    break
                } catch {
                    round.failures.append(ViewFailure(title: title, error: error))
                }
            }
        } catch is CancellationError {
            // No view failed.
        } catch {
            round.failures.append(ViewFailure(title: inputTitle, error: error))
        }
        return round
    }
}

/// Why a view could not be brought up to date.
package struct ViewFailure: CustomStringConvertible, Sendable {
    let title: String
    package let error: any Error

    package var description: String { "cannot update \(title): \(error)" }
}
