package import APOD

/// The outcome of downloading one day.
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
        /// No picture or video is here, as the disk was asked, and none could be downloaded.
        case missing(DayProblem)
        /// The day could not be requested or recorded; that says nothing about the files that it has.
        case incomplete(DayProblem)
        /// Nothing is known about the day: the sync was cancelled.
        case cancelled
        /// The disk is full, or only the reserved free space is left.
        case noSpace(Obstacle)
    }

    package let day: Day
    /// The route by which the texts of the record came; `nil` if there is no record, or none was compared.
    let route: Route?
    package let title: String?
    /// When NASA last changed the article, as its web page writes it.
    let modified: String?
    /// Whether files were requested, and not the text alone.
    let didRequestFiles: Bool
    /// Whether the picture was requested from classic mirrors.
    let mirrorsRequested: Bool
    /// Whether a record was published, also one that differs in times, versions or addresses alone.
    package let didPublish: Bool
    /// What is wrong with the fields of NASA's answer that were left out of the record.
    let entryProblems: [String]
    package let result: Result

    package init(
        _ day: Day, by route: Route? = nil, title: String? = nil, modified: String? = nil,
        didRequestFiles: Bool = true,
        mirrorsRequested: Bool = false, didPublish: Bool = false, entryProblems: [String] = [],
        _ result: Result
    ) {
        self.day = day
        self.route = route
        self.title = title
        self.modified = modified
        self.didRequestFiles = didRequestFiles
        self.mirrorsRequested = mirrorsRequested
        self.didPublish = didPublish
        self.entryProblems = entryProblems
        self.result = result
    }
}

extension EntryOutcome.Result {
    /// Why the day, or a file of it, could not be downloaded; `nil` after any other outcome.
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
        /// The file, of so many bytes, did not fit on the disk.
        case size(Int)
        /// The error of this machine by which the day could not be published, which keeps other days away, too, if it lasts.
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
