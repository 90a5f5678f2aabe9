internal import Mirror
package import Platform
package import Views

/// Brings all views up to date after each change of the tree, with a pause after each round.
package struct ViewService: DaemonService {
    private let views: [any View]
    let changes: ChangeListener
    private let log: Log
    /// What the views are made from, as it is now.
    private let input: @Sendable () throws -> ViewInput
    /// Called in the daemon after each round, with the paths that were written.
    private let didUpdate: @Sendable (_ written: [String]) -> Void
    private let failurePause: Duration
    /// The problems that were logged, once each.
    private let reported = Monitor(Set<String>())

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

    package func run() async throws {
        /// The failures of the last round by the titles of their views.
        var failures: [String: String] = [:]
        var earliest = ContinuousClock.now
        while true {
            let retry = failures.isEmpty ? nil : ContinuousClock.now + failurePause
            _ = try await changes.next(notBefore: earliest, by: retry)
            let work = TimedWork()
            let (written, failed) = await changes.heartbeat.signallingOpenedFiles { await update() }
            let current = Dictionary(failed.map { ($0.title, $0.description) }) { one, _ in one }
            for failure in failed where failures[failure.title] != failure.description {
                log.error(failure.description)
            }
            for title in failures.keys.sorted() where current[title] == nil {
                log.notice("updated \(title) again")
            }
            failures = current
            didUpdate(written)
            earliest = .now + max(Self.minimumPause, work.pause)
        }
    }

    /// Brings all views up to date once; the failure of one does not stop the others, a cancellation does.
    ///
    /// - Returns: The paths that were written, and what failed.
    @discardableResult
    package func update() async -> (written: [String], failures: [ViewFailure]) {
        defer { returnFreeMemory() }
        var (written, failures): ([String], [ViewFailure]) = ([], [])
        do {
            var input = try input()
            for view in views {
                guard !Task.isCancelled else { break }
                do {
                    let outcome = try await view.update(input)
                    for day in outcome.changedDays {
                        input.rereadFiles(of: day)
                    }
                    written += outcome.changedPaths
                    for problem in outcome.problems
                    where reported.withLock({ $0.insert(problem).inserted }) {
                        log.notice(problem)
                    }
                } catch is CancellationError {
                    break
                } catch {
                    failures.append(ViewFailure(title: type(of: view).title, error: error))
                }
            }
        } catch {
            failures.append(ViewFailure(title: "the gallery and the feed", error: error))
        }
        return (written, failures)
    }
}

/// Why a view could not be brought up to date.
package struct ViewFailure: CustomStringConvertible, Sendable {
    let title: String
    package let error: any Error

    package var description: String { "cannot update \(title): \(error)" }
}
