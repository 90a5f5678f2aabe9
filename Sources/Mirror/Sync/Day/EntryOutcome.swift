package import APOD

/// What became of one day in a sync: the log reports it, and ``DayState/after(_:at:)`` makes the next state of it.
package struct EntryOutcome: Sendable {
    package enum Result: Sendable {
        /// Published, with the picture or video at `path`; `isEdit` if NASA edited a day that was here.
        case downloaded(path: String, bytes: Int, isEdit: Bool = false)
        /// Deleted by retention.
        case removed(bytes: Int)
        /// NASA edited the entry but no file, and the edit is published.
        case edited
        /// The tree already equals NASA's entry.
        case unchanged
        /// A picture or a video is here, and another file could not be downloaded.
        case partial(DayProblem)
        /// The disk has no picture or video, and none could be downloaded.
        case missing(DayProblem)
        /// The day could not be requested or recorded, which says nothing about the files that it has.
        case incomplete(DayProblem)
        /// The sync was cancelled before anything was known about the day.
        case cancelled
        /// The disk is full, or only the reserved free space is left.
        case noSpace(Obstacle)
    }

    package let day: Day
    /// Whether files were requested, and not only the text compared.
    let didRequestFiles: Bool
    /// Whether a record was published, perhaps only with other times, versions or addresses.
    package let didPublish: Bool
    package let result: Result
    package var title: String?
    /// The route of the texts in the record; `nil` if there is no record, or none was compared.
    var route: Route?
    /// When NASA last changed the article, as its web page writes it.
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
}

extension EntryOutcome.Result {
    /// Why the day, or one of its files, could not be downloaded; `nil` after any other outcome.
    package var problem: DayProblem? {
        switch self {
        case .partial(let problem), .missing(let problem), .incomplete(let problem): problem
        case .cancelled, .downloaded, .edited, .noSpace, .removed, .unchanged: nil
        }
    }
}

/// Why a day or one of its files is missing, or not what NASA announces.
package struct DayProblem: Error, Sendable {
    package enum Detail: Sendable {
        case none
        /// NASA says that it does not have the file.
        case absence
        /// A file of so many bytes does not fit on the disk.
        case size(Int)
        /// An error of this machine. If it lasts, it keeps other days away, too.
        case obstacle(Obstacle)
    }

    package let cause: RetryState.Cause
    /// A sentence for people.
    package let reason: String
    var detail: Detail

    package init(_ cause: RetryState.Cause, _ reason: String, _ detail: Detail = .none) {
        self.cause = cause
        self.reason = reason
        self.detail = detail
    }

    var isAbsence: Bool { if case .absence = detail { true } else { false } }
    var size: Int? { if case .size(let bytes) = detail { bytes } else { nil } }
    var obstacle: Obstacle? { if case .obstacle(let obstacle) = detail { obstacle } else { nil } }
}
