package import Mirror

/// The result of ``MirrorAssembly/runOnce(showing:)``.
package struct SingleRun: Sendable {
    package internal(set) var summary = SyncSummary()
    /// `nil` if no thumbnails were to be made, their program is not installed, or the run was interrupted.
    package internal(set) var thumbnails: ThumbnailSummary?
    /// Which favorites, views and thumbnails could not be written, and which damaged files could not be repaired.
    package internal(set) var failures: [WriteFailure] = []

    mutating func add(_ summary: ThumbnailSummary?) {
        thumbnails = summary
        // If thumbnails are missing, their number is reported instead.
        guard let summary, summary.missingCount == 0 else { return }
        if let failure = summary.diskFailure { failures.append(failure) }
    }
}
