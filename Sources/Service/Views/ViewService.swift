internal import FoundationEssentials
internal import Mirror
internal import Platform
internal import Views

/// Brings all views up to date after each change of the tree: the daemon runs it, a single sync calls ``update()``.
struct ViewService: Sendable {
    /// The result of bringing all views up to date.
    struct Round: Sendable {
        /// The outcomes of all views.
        fileprivate var outcome = ViewOutcome()
        /// Why views could not be brought up to date, as sentences; `error` is `nil` if no system call failed.
        fileprivate(set) var failures: [(text: String, error: SystemError?)] = []

        /// The paths that were written.
        var written: [String] { outcome.changedPaths }

        /// The time after which the next round follows though nothing changed, after so many rounds in a row with failures;
        /// `nil` if none does.
        fileprivate func pause(after failures: Int, _ backoff: Backoff) -> Duration? {
            [
                outcome.nextUpdate.map {
                    max(backoff.delay(after: 1), .seconds($0.timeIntervalSinceNow))
                },
                failures > 0 ? backoff.delay(after: failures) : nil,
            ].compactMap(\.self).min()
        }

        fileprivate mutating func addFailure(of title: String, _ error: any Error) {
            failures.append(("cannot update \(title): \(error)", error as? SystemError))
        }
    }

    let views: [any View]
    let changes: ChangeListener
    let log: Log
    var backoff = Backoff.views
    /// Reads what the views are made from.
    let input: @Sendable () throws -> ViewInput
    /// Called in the daemon after each round, with the paths that were written.
    var didUpdate: @Sendable (_ written: [String]) -> Void = { _ in }

    /// Changes that come within this time make one round.
    private static let minimumPause = Duration.seconds(1)

    func run() async throws {
        var earliest = ContinuousClock.now
        var retry: ContinuousClock.Instant?
        var failures = 0
        while true {
            _ = try await changes.next(notBefore: earliest, by: retry)
            let start = SuspendingClock.now
            let round = await update()
            for failure in round.failures { log.error(failure.text) }
            // Also after a cancellation: it writes `service.json`, from which the next process goes on.
            didUpdate(round.written)
            earliest = .now + max(Self.minimumPause, start.duration(to: .now).pauseAfterWork)
            let isWhole = round.failures.isEmpty && !round.outcome.isIncomplete
            failures = isWhole ? 0 : failures + 1
            retry = round.pause(after: failures, backoff).map { ContinuousClock.now + $0 }
        }
    }

    /// Brings all views up to date once; the failure of one does not stop the others, a cancellation does.
    @discardableResult
    func update() async -> Round {
        // A round of the whole archive takes megabytes.
        defer { returnFreeMemory() }
        var round = Round()
        do {
            var input = try input()
            for view in views {
                do {
                    try Task.checkCancellation()
                    let outcome = try await view.update(input)
                    // The next views show what this one wrote.
                    for day in outcome.changedDays {
                        input.rereadFiles(of: day)
                    }
                    round.outcome += outcome
                    for problem in outcome.problems { log.notice(problem) }
                } catch is CancellationError {
                    break
                } catch {
                    round.addFailure(of: type(of: view).title, error)
                }
            }
        } catch is CancellationError {
            // No view failed.
        } catch {
            round.addFailure(of: "the views", error)
        }
        return round
    }
}
