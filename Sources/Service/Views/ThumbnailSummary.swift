internal import Platform
internal import Thumbnails

/// What one round of ``ThumbnailService`` made, and what it could not make.
package struct ThumbnailSummary: Hashable, Sendable {
    /// The number of thumbnails that the round made; renditions are not counted.
    private(set) var madeCount = 0
    /// The number of thumbnails that are still missing.
    package internal(set) var missingCount = 0
    /// Why the first of them could not be made; `nil` if none failed.
    package private(set) var firstReason: String?
    /// Why no thumbnail at all can be made; `nil` if some can.
    private(set) var obstacle: ThumbnailFailure?
    /// The first failure to read or write a file; `nil` if there is none, or if pictures failed for other reasons.
    private(set) var diskFailure: WriteFailure?
    /// Why thumbnails and renditions were not made, as sentences for the log.
    private(set) var failures: [String] = []

    package var isDiskFull: Bool {
        if case .system(let error) = obstacle { error.isNoSpace } else { false }
    }

    mutating func record(_ result: Result<Void, ThumbnailFailure>, of job: JPEGJob) {
        guard case .failure(let failure) = result else {
            if job.isThumbnail { madeCount += 1 }
            return
        }
        if job.isThumbnail { firstReason = firstReason ?? "\(failure)" }
        if case .cancelled = failure { return }
        if case .system(let error) = failure { recordDiskFailure(of: job.path, error) }
        if failure.affectsAllPictures {
            obstacle = failure
            // Only the first failures are logged, and this one explains more than the others.
            failures.insert("\(failure)", at: 0)
        } else {
            failures.append("cannot make \(job.path): \(failure)")
        }
    }

    /// Records the `error` that prevented the search for what is missing.
    mutating func record(_ error: any Error) {
        obstacle = obstacle ?? .unavailable("\(error)")
        firstReason = firstReason ?? "\(error)"
        failures.append("cannot make thumbnails: \(error)")
        if let error = error as? SystemError { recordDiskFailure(of: "thumbnails", error) }
    }

    private mutating func recordDiskFailure(of files: String, _ error: SystemError) {
        diskFailure =
            diskFailure ?? WriteFailure(text: "cannot make \(files): \(error)", error: error)
    }
}
