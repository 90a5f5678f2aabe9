internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform
internal import Views

/// Updates all views after each change of the tree.
///
/// The daemon calls ``run()``, and a single sync calls ``update()``.
struct ViewService: Sendable {
    let views: [any View]
    let changes: ChangeListener
    let log: Log
    var backoff = Backoff.views
    /// Reads what the views are made from.
    let input: @Sendable () throws -> ViewInput
    /// Called by ``run()`` after each round.
    var didUpdate: @Sendable (ViewRound) -> Void = { _ in }

    /// The time between two rounds, so that one round handles several changes.
    private static let minimumPause = Duration.seconds(1)

    /// Updates the views at once, and after each change, until the task is cancelled.
    func run() async throws {
        var earliest = ContinuousClock.now
        var next: ContinuousClock.Instant?
        var failures = 0
        while true {
            _ = try await changes.next(notBefore: earliest, by: next)
            let start = SuspendingClock.now
            let round = await update()
            for failure in round.failedViews { log.error(failure.text) }
            // Called even after a cancellation: it writes `service.json`, from which the next process goes on.
            didUpdate(round)
            earliest = .now + max(Self.minimumPause, start.duration(to: .now).pauseAfterWork)
            failures = round.failures.isEmpty ? 0 : failures + 1
            next = pause(after: round, failures: failures).map { ContinuousClock.now + $0 }
        }
    }

    /// The time until the next round if nothing changes; `nil` if there is no such round.
    ///
    /// There is one if a view has requested an update, and after a failure; `failures` counts the failed rounds in a row.
    private func pause(after round: ViewRound, failures: Int) -> Duration? {
        var pauses: [Duration] = []
        if let time = round.nextUpdate {
            // Not sooner than after a first failure, because the view may request the update for a time in the past.
            pauses.append(max(backoff.delay(after: 1), .seconds(time.timeIntervalSinceNow)))
        }
        if failures > 0 { pauses.append(backoff.delay(after: failures)) }
        return pauses.min()
    }

    /// Updates all views once: if one fails, the others are still updated, but a cancellation ends the round.
    @discardableResult
    func update() async -> ViewRound {
        // A round for the whole archive needs megabytes, which the allocator would keep.
        defer { returnFreeMemory() }
        var round = ViewRound()
        do {
            try await update(recordingIn: &round)
        } catch is CancellationError {
            // No view failed.
        } catch {
            round.addFailure(of: "the views", error)
        }
        return round
    }

    private func update(recordingIn round: inout ViewRound) async throws {
        var input = try input()
        if let error = input.favoritesError {
            round.addFailure(of: "the views that show favorites", error)
        }
        for view in views where input.favoritesError == nil || !type(of: view).showsFavorites {
            do {
                try Task.checkCancellation()
                let outcome = try await view.update(input)
                // The next views show the files that this one wrote.
                for day in outcome.changedDays { input.rereadFiles(of: day) }
                for problem in outcome.problems { log.notice(problem.text) }
                round.add(outcome)
            } catch let error as CancellationError {
                throw error
            } catch {
                round.addFailure(of: type(of: view).title, error)
            }
        }
        round.isComplete = true
    }
}
