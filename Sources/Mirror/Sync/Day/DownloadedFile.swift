package import Platform

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

extension FileDescriptor {
    /// Sets the extended attributes of a picture or video of `record`, as far as the file system has them;
    /// `address` is empty if it is not known where NASA has the file.
    package func setAttributes(of record: DayRecord, from address: String) {
        if !address.isEmpty { setAttribute("user.xdg.origin.url", address) }
        if let permalink = record.entry.permalink {
            setAttribute("user.xdg.referrer.url", permalink)
        }
        setAttribute("user.xdg.comment", record.entry.title)
    }
}
