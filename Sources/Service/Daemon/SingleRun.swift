package import Mirror
package import Platform

/// The result of ``MirrorAssembly/runOnce(showing:)``.
package struct SingleRun: Sendable {
    package var summary = SyncSummary()
    /// `nil` without thumbnails, or if the run was interrupted.
    package var thumbnails: ThumbnailSummary?
    package var hasThumbnailer = true
    /// What could not be written, as sentences; `error` is `nil` if no system call failed.
    package var failures: [(text: String, error: SystemError?)] = []
}
