package import APOD

/// The outcome of downloading one day.
package struct EntryOutcome: Sendable {
    package enum Result: Sendable {
        /// Published; `path` is that of the picture or video. For an edit, NASA changed a day that was there.
        case downloaded(path: String, bytes: Int, isEdit: Bool = false)
        /// Returned from the trash; `path` is that of the picture or video.
        case returned(path: String, bytes: Int)
        /// Removed by retention: in the trash.
        case removed(bytes: Int)
        /// NASA edited the entry but no file, and the edit is published.
        case edited
        /// The tree already equals NASA's entry.
        case unchanged
        /// Not or not completely downloaded; the record is the one published meanwhile.
        case incomplete(RetryState.Cause, reason: String, record: DayRecord?)
        /// The sync was cancelled meanwhile: nothing is known about the day.
        case cancelled
        /// The disk is full, or only the reserved free space is left.
        case noSpace(String)
    }

    package let day: Day
    package let title: String?
    /// When NASA last changed the article, in the words of its page.
    let modified: String?
    /// Whether files were requested; `false` for what concerns the text alone.
    let didRequestFiles: Bool
    package let result: Result

    package init(
        _ day: Day, title: String? = nil, modified: String? = nil, didRequestFiles: Bool = true,
        _ result: Result
    ) {
        self.day = day
        self.title = title
        self.modified = modified
        self.didRequestFiles = didRequestFiles
        self.result = result
    }
}
