internal import APOD
internal import Derived
internal import Glibc
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
        let loop = RefreshLoop(
            name: "what follows from the newest days", changes: changes, log: log)
        try await loop.run(ignoring: .thumbnails) { _ in await refresh() }
    }

    /// Refreshes once.
    ///
    /// - Returns: The error, `nil` on success or cancellation.
    package func refresh() async -> SystemError? {
        defer { returnFreeMemory() }
        do {
            let outcome = try await files.refresh(favorites: try favorites())
            for problem in outcome.problems where reported.withLock({ $0.insert(problem).inserted })
            {
                log.notice(problem)
            }
            return nil
        } catch let error as SystemError {
            return error
        } catch {
            return Task.isCancelled ? nil : SystemError("refresh", path: "latest.json", code: EIO)
        }
    }
}
