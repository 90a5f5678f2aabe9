package import APOD

/// The result of one day in a sync: the log reports it, and ``DayState/after(_:at:)`` decides by it when to try again.
package struct EntryOutcome: Sendable {
    package enum Result: Sendable {
        /// A picture or video was downloaded and published at `path`. `isEdit` says that NASA edited a day of the mirror.
        case downloaded(path: String, bytes: Int, isEdit: Bool = false)
        /// `--keep` deleted the files of the day, which had so many bytes.
        case removed(bytes: Int)
        /// NASA edited only the texts of the day, and the new ones are published.
        case edited
        /// The mirror has everything that NASA's entry has.
        case unchanged
        /// The picture or the video is in the mirror, and another file, or a better one, could not be downloaded.
        ///
        /// `bytes` is the size of the files that were downloaded and published, such as a reduced picture; `nil` if none were.
        case partial(DayProblem, bytes: Int? = nil, isEdit: Bool = false)
        /// The mirror has no picture or video of the day, and none could be downloaded.
        case missing(DayProblem)
        /// The day could not be requested or recorded; the files of the day are as they were before.
        case incomplete(DayProblem)
        /// The sync was cancelled before anything was known about the day.
        case cancelled
        /// The disk is full, or only the space that `--min-free` reserves is left.
        case noSpace(Obstacle)
    }

    package let day: Day
    /// Whether all files could be requested; otherwise, at most lost ones were, and the texts were compared.
    package let didRequestFiles: Bool
    /// Whether a record was published, even if it differs from the former one only in times, versions or addresses.
    package internal(set) var didPublish: Bool
    package internal(set) var result: Result
    package var title: String?
    /// The route by which the texts in the record came; `nil` if there is no record, or if it was not compared.
    var route: Route?
    /// The time of NASA's last change of the article, as the article states it; `nil` if it is not known.
    var modified: String?
    /// Whether the picture was requested from classic mirrors.
    var mirrorsRequested = false
    /// Why fields of NASA's answer were left out of the record.
    var entryProblems: [String] = []

    package init(
        _ day: Day, didRequestFiles: Bool = true, didPublish: Bool = false, _ result: Result
    ) {
        self.day = day
        self.didRequestFiles = didRequestFiles
        self.didPublish = didPublish
        self.result = result
    }

    /// Makes the outcome of a download that has not begun yet.
    init(of entry: Entry, didRequestFiles: Bool) {
        self.init(entry.day, didRequestFiles: didRequestFiles, .unchanged)
        title = entry.title
        modified = entry.modified
        entryProblems = entry.problems
    }
}

extension EntryOutcome.Result {
    /// Why the day, or one of its files, could not be downloaded; `nil` after any other outcome.
    package var problem: DayProblem? {
        switch self {
        case .partial(let problem, _, _), .missing(let problem), .incomplete(let problem): problem
        case .cancelled, .downloaded, .edited, .noSpace, .removed, .unchanged: nil
        }
    }

    /// The size of the files that were downloaded and published; `nil` if none were.
    package var downloadedBytes: Int? {
        switch self {
        case .downloaded(_, let bytes, _): bytes
        case .partial(_, let bytes, _): bytes
        case .cancelled, .edited, .incomplete, .missing, .noSpace, .removed, .unchanged: nil
        }
    }
}
