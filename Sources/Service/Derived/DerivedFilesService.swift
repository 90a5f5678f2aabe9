internal import APOD
internal import Glibc
package import Platform

/// Refreshes files that follow from records and favorites after every sync and every change of the tree.
package struct DerivedFilesService: DaemonService {
    /// What it makes, in messages.
    private let name: String
    /// Makes what is not up to date for these favorites; returns problems as sentences.
    let update: @Sendable (Set<Day>) async throws -> [String]
    /// Reads the favorite days.
    let favorites: @Sendable () throws -> Set<Day>
    let changes: ChangeListener
    let log: Log
    private let reported = Monitor(Set<String>())

    init(
        _ name: String, _ update: @escaping @Sendable (Set<Day>) async throws -> [String],
        favorites: @escaping @Sendable () throws -> Set<Day>,
        changes: ChangeListener, log: Log
    ) {
        self.name = name
        self.update = update
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
        let loop = RefreshLoop(name: name, changes: changes, log: log)
        try await loop.run(ignoring: .thumbnails) { _ in await refresh() }
    }

    /// Refreshes once.
    ///
    /// - Returns: The error, `nil` on success or cancellation.
    package func refresh() async -> SystemError? {
        defer { returnFreeMemory() }
        do {
            let problems = try await update(try favorites())
            for problem in problems where reported.withLock({ $0.insert(problem).inserted }) {
                log.notice(problem)
            }
            return nil
        } catch let error as SystemError {
            return error
        } catch {
            return Task.isCancelled ? nil : SystemError("refresh", path: name, code: EIO)
        }
    }
}
