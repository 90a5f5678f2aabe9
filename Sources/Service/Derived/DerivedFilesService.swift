internal import APOD
internal import Derived
internal import Mirror
package import Platform

/// Refreshes what follows from the newest days after every sync and every change of the tree.
package struct DerivedFilesService: DaemonService {
    let files: DerivedFiles
    /// Reads the favorite days.
    let favorites: @Sendable () throws -> Set<Day>
    let changes: ChangeListener
    let log: Log
    private let reported = Monitor(Set<String>())

    /// The maximum part of the time spent while days are downloaded.
    private static let maximumLoad = 1.0 / 20
    /// The minimum time between two refreshes, and the time after a failed one.
    private static let minimumPause = Duration.seconds(1)
    private static let failurePause = Duration.seconds(60)

    init(
        files: DerivedFiles, favorites: @escaping @Sendable () throws -> Set<Day>,
        changes: ChangeListener, log: Log
    ) {
        self.files = files
        self.favorites = favorites
        self.changes = changes
        self.log = log
    }

    /// Requests a refresh.
    package func request() { changes.post(.days) }

    /// Returns after the next iteration of the loop or the next progress of a refresh; see
    /// ``Watchdog``.
    package func ping() async throws { try await changes.ping() }

    package func run() async throws {
        var earliest = ContinuousClock.now
        while true {
            let change = try await changes.next(notBefore: earliest)
            guard change != .thumbnails else { continue }
            let start = ContinuousClock.now
            let error = await changes.reportingProgress { await refresh() }
            if let error {
                report(["\(error)"], at: Log.error)
                // Retry even without a further change.
                changes.post(.days)
                earliest = .now + Self.failurePause
            } else {
                let pause = start.duration(to: .now) / Self.maximumLoad
                earliest = .now + max(Self.minimumPause, pause)
            }
        }
    }

    /// Refreshes once.
    ///
    /// - Returns: The error, `nil` on success or cancellation.
    package func refresh() async -> SystemError? {
        defer { returnFreeMemory() }
        do {
            let outcome = try await files.refresh(favorites: try favorites())
            report(outcome.problems, at: Log.notice)
            return nil
        } catch {
            return error as? SystemError
        }
    }

    /// Logs each of `lines` once.
    private func report(_ lines: [String], at level: (Log) -> (String) -> Void) {
        for line in lines where reported.withLock({ $0.insert(line).inserted }) { level(log)(line) }
    }
}
