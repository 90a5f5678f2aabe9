internal import Platform

/// A picture or video that is downloaded or adopted, and checked, but not published.
final class DownloadedFile: Sendable {
    let draft: AtomicFile
    /// Where NASA has it; empty if that is not known.
    let address: String
    /// The bytes that were received.
    let received: Int

    init(_ draft: consuming AtomicFile, from address: String, received: Int) {
        self.draft = draft
        self.address = address
        self.received = received
    }
}
