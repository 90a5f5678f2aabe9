internal import Platform

/// Refreshes files that follow from the tree after each change of it, with a pause after each refresh.
struct RefreshLoop: Sendable {
    /// What is refreshed, for messages: “the gallery”.
    let name: String
    let changes: ChangeListener
    let log: Log
    /// The time after a failed refresh.
    var failurePause = Duration.seconds(60)

    /// The maximum part of the time spent on refreshing while days are downloaded.
    private static let maximumLoad = 1.0 / 20
    /// The minimum time between two refreshes.
    private static let minimumPause = Duration.seconds(1)

    /// Runs until the task is cancelled.
    ///
    /// - Parameters:
    ///   - ignored: Changes without any effect on the files.
    ///   - refresh: Refreshes the files after these changes; returns the error.
    /// - Throws: `CancellationError`
    func run(
        ignoring ignored: TreeChange = [], _ refresh: (TreeChange) async -> (any Error)?
    ) async throws {
        var failure: String?
        var earliest = ContinuousClock.now
        while true {
            let change = try await changes.next(notBefore: earliest)
            guard !change.isSubset(of: ignored) else { continue }
            let start = ContinuousClock.now
            let error = await changes.reportingProgress { await refresh(change) }.map { "\($0)" }
            if let error {
                if error != failure { log.error(error) }
                // Retry even without a further change.
                changes.post(.all)
                earliest = .now + failurePause
            } else {
                if failure != nil { log.notice("updated \(name) again") }
                let pause = start.duration(to: .now) / Self.maximumLoad
                earliest = .now + max(Self.minimumPause, pause)
            }
            failure = error
        }
    }
}
