package import APOD

/// What became of one day that was looked for.
package struct EntryOutcome: Sendable {
    package enum Result: Sendable {
        /// It is on the disk, whole; `path` is that of the picture or video.
        case kept(path: String, bytes: Int)
        /// NASA edited it and the tree has the edit.
        case edited
        /// The tree has it as NASA does.
        case unchanged
        /// It could not be had, or not all of it; the record says what is known meanwhile.
        case pending(RetryState.Cause, reason: String, record: DayRecord?)
        /// The disk is full, or what is to be kept clear of it is reached.
        case noSpace(String)
    }

    package let day: Day
    package let title: String?
    package let result: Result

    package init(_ day: Day, title: String? = nil, _ result: Result) {
        self.day = day
        self.title = title
        self.result = result
    }
}
