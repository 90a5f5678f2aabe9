internal import Platform

/// A picture or video that is downloaded or adopted, and checked, but not published.
final class DownloadedFile: Sendable {
    let draft: AtomicFile
    /// The bytes that were received.
    let received: Int

    init(_ draft: consuming AtomicFile, received: Int) {
        self.draft = draft
        self.received = received
    }
}
