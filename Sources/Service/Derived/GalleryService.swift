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

    /// Returns after the next iteration of the loop or the next progress of a build; see ``Watchdog``.
    package func ping() async throws { try await changes.ping() }

    package func run() async throws {
        try await RefreshLoop(name: "the gallery", changes: changes, log: log).run { change in
            await build(change == .all ? .files : .folders)
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
