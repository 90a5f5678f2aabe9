internal import FoundationEssentials
internal import Platform
internal import Thumbnails

/// The result of making missing thumbnails.
package struct ThumbnailSummary: Hashable, Sendable {
    /// Why no thumbnails can be made at all.
    package enum Obstacle: Hashable, Sendable {
        case noSpace
        /// The thumbnailer does not start, or the mirror cannot be read.
        case other
    }

    package internal(set) var missing = 0
    package internal(set) var obstacle: Obstacle?
    /// When the first failed picture is due.
    var nextRetry: Date?
    /// The reason of the first failure.
    package internal(set) var reason: String?
    private(set) var made = 0
    var failures: [String] = []

    mutating func record(_ thumbnail: ThumbnailOutcome) {
        guard case .failure(let failure) = thumbnail.result else {
            made += 1
            return
        }
        reason = reason ?? "\(failure)"
        switch failure {
        // Unsupported types are counted in the status, but are not a failure.
        case .cancelled, .unsupported: return
        case .system(let error) where error.isNoSpace: obstacle = .noSpace
        case .unavailable: obstacle = .other
        default: break
        }
        failures.append(failure.affectsAllPictures ? "\(failure)" : "\(thumbnail.day): \(failure)")
    }
}
