internal import Mirror
internal import Platform
internal import Thumbnails

/// The result of making missing thumbnails and renditions.
package struct ThumbnailSummary: Hashable, Sendable {
    /// Why no thumbnails can be made at all.
    package enum Obstacle: Hashable, Sendable {
        case noSpace
        /// The thumbnailer does not start, or the mirror cannot be read.
        case other
    }

    /// The number of thumbnails.
    package internal(set) var missing = 0
    package internal(set) var obstacle: Obstacle?
    /// The reason of the first thumbnail that failed.
    package internal(set) var reason: String?
    /// The number of thumbnails.
    private(set) var made = 0
    /// Why something was not made, for lines of the log.
    private(set) var failures: [String] = []

    mutating func record(_ result: Result<Void, ThumbnailFailure>, of job: JPEGJob) {
        guard case .failure(let failure) = result else {
            if job.isThumbnail { made += 1 }
            return
        }
        if job.isThumbnail { reason = reason ?? "\(failure)" }
        switch failure {
        case .cancelled: return
        case .system(let error) where error.isNoSpace: obstacle = .noSpace
        case .unavailable: obstacle = .other
        default: break
        }
        failures.append(
            failure.affectsAllPictures
                ? "\(failure)" : "cannot make \(job.path): \(failure)")
    }

    /// Records the `error` that prevented the search for what is missing.
    mutating func record(_ error: any Error) {
        obstacle = obstacle ?? .other
        reason = reason ?? "\(error)"
        failures.append("cannot make thumbnails: \(error)")
    }
}
