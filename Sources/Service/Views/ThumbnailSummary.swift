internal import Platform
internal import Thumbnails

/// What one round of ``ThumbnailService`` made, and why it could not make the rest.
///
/// The service records each result here, logs the failures, and decides by them when the next round is. The daemon shows
/// ``diskFailure`` in `status`. A single sync ends with an exit code for missing thumbnails. An interruption is no failure.
package struct ThumbnailSummary: Hashable, Sendable {
    /// The number of thumbnails that were made; renditions, the smaller copies of large pictures, are not counted.
    private(set) var madeCount = 0
    /// The number of thumbnails that are missing after all were tried; the service counts them.
    package internal(set) var missingCount = 0
    /// Why the first thumbnail that failed is missing, or why nobody could search for missing ones.
    package private(set) var firstReason: String?
    /// Why the round ended before all pictures were tried, as on a full disk; `nil` if at most single pictures failed.
    private(set) var obstacle: ThumbnailFailure?
    /// The first failure to read or write a file of the mirror; `nil` if all failures had other causes.
    private(set) var diskFailure: WriteFailure?
    /// All failures as sentences for the log, that of the ``obstacle`` first: only the first sentences are logged.
    private(set) var failures: [String] = []

    package var isDiskFull: Bool {
        if case .system(let error) = obstacle { error.isNoSpace } else { false }
    }

    mutating func recordSuccess(of job: JPEGJob) {
        if job.isThumbnail { madeCount += 1 }
    }

    mutating func record(_ failure: ThumbnailFailure, of job: JPEGJob) {
        if case .cancelled = failure { return }
        if job.isThumbnail, firstReason == nil { firstReason = "\(failure)" }
        if case .system(let error) = failure { recordDiskFailure(error, making: job.path) }
        if failure.affectsAllPictures {
            obstacle = failure
            failures.insert("\(failure)", at: 0)
        } else {
            failures.append("cannot make \(job.path): \(failure)")
        }
    }

    /// Records the `error` of the search for missing thumbnails and renditions, which ended the round.
    mutating func recordFailedSearch(_ error: any Error) {
        if firstReason == nil { firstReason = "\(error)" }
        if let error = error as? SystemError { recordDiskFailure(error, making: "thumbnails") }
        if obstacle == nil { obstacle = .unavailable(reason: "\(error)") }
        failures.append("cannot make thumbnails: \(error)")
    }

    /// Records the `error` of a directory of thumbnails, so that it is not known which of its thumbnails are missing.
    mutating func recordUnlistedThumbnails(_ error: SystemError) {
        if firstReason == nil { firstReason = "\(error)" }
        recordDiskFailure(error, making: "all thumbnails")
        failures.append("cannot make all thumbnails: \(error)")
    }

    private mutating func recordDiskFailure(_ error: SystemError, making files: String) {
        guard diskFailure == nil else { return }
        diskFailure = WriteFailure(text: "cannot make \(files): \(error)", error: error)
    }
}
