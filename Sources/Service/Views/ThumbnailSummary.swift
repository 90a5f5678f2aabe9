internal import Mirror
internal import Platform
internal import Thumbnails

/// The result of making missing thumbnails and renditions.
package struct ThumbnailSummary: Hashable, Sendable {
    /// The number of thumbnails.
    package internal(set) var missing = 0
    /// Why no thumbnails can be made at all.
    private(set) var obstacle: ThumbnailFailure?
    /// The reason of the first thumbnail that failed.
    package internal(set) var reason: String?
    /// The number of thumbnails.
    private(set) var made = 0
    /// Why something was not made, for lines of the log.
    private(set) var failures: [String] = []

    package var isDiskFull: Bool {
        if case .system(let error) = obstacle { error.isNoSpace } else { false }
    }

    mutating func record(_ result: Result<Void, ThumbnailFailure>, of job: JPEGJob) {
        guard case .failure(let failure) = result else {
            if job.isThumbnail { made += 1 }
            return
        }
        if job.isThumbnail { reason = reason ?? "\(failure)" }
        if case .cancelled = failure { return }
        if failure.affectsAllPictures {
            obstacle = failure
            // Before those of single pictures, of which few are logged.
            failures.insert("\(failure)", at: 0)
        } else {
            failures.append("cannot make \(job.path): \(failure)")
        }
    }

    /// Records the `error` that prevented the search for what is missing.
    mutating func record(_ error: any Error) {
        obstacle = obstacle ?? .unavailable("\(error)")
        reason = reason ?? "\(error)"
        failures.append("cannot make thumbnails: \(error)")
    }
}
