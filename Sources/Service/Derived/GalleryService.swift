internal import APOD
package import Gallery
internal import Platform

/// Rebuilds the gallery after every change of the tree, with a pause after each build.
package struct GalleryService: DaemonService {
    /// The gallery of a tree that is open for writing.
    let gallery: Gallery
    /// Reads the favorite days.
    let favorites: @Sendable () throws -> Set<Day>
    /// Reads the favorite days of each folder inside `favorites/`.
    let collections: @Sendable () throws -> [String: Set<Day>]
    let changes: ChangeListener
    let log: Log

    /// The maximum part of the time spent on building while days are downloaded.
    private static let maximumLoad = 1.0 / 20
    /// The minimum time between two builds, in seconds, and that after a failed one.
    private static let minimumPause = 1.0
    private static let failurePause = 60.0

    /// Returns after the next iteration of the loop or the next progress of a build; see ``Watchdog``.
    package func ping() async throws { try await changes.ping() }

    package func run() async throws {
        var failure: String?
        var earliest = ContinuousClock.now
        while true {
            let change = try await changes.next(notBefore: earliest)
            let start = ContinuousClock.now
            let error = await changes.reportingProgress {
                await build(change == .all ? .files : .folders)
            }
            if let error, "\(error)" != failure { log.error("\(error)") }
            if error == nil, failure != nil { log.notice("the gallery is up to date again") }
            failure = error.map { "\($0)" }
            // Retry even without a further change.
            if error != nil { changes.post(.all) }
            let time = start.duration(to: .now) / .seconds(1)
            let pause =
                error == nil ? max(Self.minimumPause, time / Self.maximumLoad) : Self.failurePause
            earliest = .now + .seconds(pause)
        }
    }

    /// Builds the gallery once.
    ///
    /// - Returns: The error, `nil` on success or cancellation.
    package func build(_ depth: Gallery.ScanDepth = .files) async -> GalleryError? {
        defer { returnFreeMemory() }
        do {
            try await gallery.refresh(
                favorites: try favorites(), collections: try collections(), depth: depth)
            return nil
        } catch is CancellationError {
            return nil
        } catch {
            return GalleryError(error)
        }
    }
}
