internal import Platform

/// Refreshes files that follow from the tree after each change of it, with a pause after each refresh: the
/// gallery, the files of the newest days, the sidecars, the metrics.
package struct RefreshService: DaemonService {
    /// What is refreshed, for messages: “the gallery”.
    let name: String
    let changes: ChangeListener
    let log: Log
    /// Changes without any effect on the files.
    var ignored: TreeChange = []
    /// The time after a failed refresh.
    var failurePause = Duration.seconds(60)
    /// Refreshes the files after these changes; returns problems as sentences.
    let update: @Sendable (TreeChange) async throws -> [String]
    private let reported = Monitor(Set<String>())

    /// The minimum time between two refreshes.
    private static let minimumPause = Duration.seconds(1)

    package func request() { changes.post(.days) }

    package func run() async throws {
        var failure: String?
        var earliest = ContinuousClock.now
        while true {
            let change = try await changes.next(notBefore: earliest)
            guard !change.isSubset(of: ignored) else { continue }
            let work = TimedWork()
            let error = await changes.heartbeat.whileWorking { await refresh(change) }.map(text)
            if let error {
                if error != failure { log.error(error) }
                // Retry even without a further change.
                changes.post(.all)
                earliest = .now + failurePause
            } else {
                if failure != nil { log.notice("updated \(name) again") }
                earliest = .now + max(Self.minimumPause, work.pause)
            }
            failure = error
        }
    }

    /// The message that a refresh failed with `error`.
    package func text(of error: any Error) -> String { "cannot update \(name): \(error)" }

    /// Refreshes once; returns the error, `nil` on success or cancellation.
    package func refresh(_ change: TreeChange = .all) async -> (any Error)? {
        defer { returnFreeMemory() }
        do {
            for problem in try await update(change)
            where reported.withLock({ $0.insert(problem).inserted }) {
                log.notice(problem)
            }
            return nil
        } catch is CancellationError {
            return nil
        } catch {
            return error
        }
    }
}
