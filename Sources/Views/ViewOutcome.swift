package import APOD
package import FoundationEssentials
internal import Mirror
package import Platform

/// What one update of a view has changed, and what it could not do.
package struct ViewOutcome: Hashable, Sendable {
    /// Why a file could not be made, read or removed.
    package enum Problem: Hashable, Sendable {
        case unreadable(SystemError, consequence: String)
        /// An item of a person is at a path where the mirror has to write.
        case inTheWay(path: String, text: String)
        case failed(String)

        /// A sentence for people.
        package var text: String {
            switch self {
            case .unreadable(let error, let consequence): "\(error); \(consequence)"
            case .inTheWay(_, let text), .failed(let text): text
            }
        }
    }

    /// The maximum number of read errors with one consequence, because a disk that fails would cause thousands.
    static let maximumReadErrors = 10

    /// The paths that were written or removed, relative to the root.
    package internal(set) var changedPaths: [String] = []
    /// Each problem once.
    package internal(set) var problems: [Problem] = []
    /// The days whose files in the tree changed, for the views after this one.
    package internal(set) var changedDays: [Day] = []
    /// When the view must be updated even if nothing has changed, as after a conversion that failed; `nil` if it need not.
    package private(set) var nextUpdate: Date?
    /// The newest day that the views show: set by ``LatestRecordView``, even if it cannot write its file.
    package internal(set) var shownDay: Day?

    package init() {}

    /// The paths of the items of a person that are in the way.
    package var inTheWay: [String] {
        problems.compactMap { if case .inTheWay(let path, _) = $0 { path } else { nil } }
    }

    /// The first error of something that could not be read, written or removed; `nil` if there is none.
    ///
    /// If there is one, the view must soon be updated again, even if nothing has changed.
    package var readError: SystemError? {
        problems.lazy.compactMap { if case .unreadable(let error, _) = $0 { error } else { nil } }
            .first
    }

    /// Adds the outcome of another view, or of another part of this view.
    package mutating func merge(_ other: Self) {
        changedPaths += other.changedPaths
        other.problems.forEach { add($0) }
        changedDays += other.changedDays
        requestUpdate(at: other.nextUpdate)
        shownDay = other.shownDay ?? shownDay
    }

    /// Makes ``nextUpdate`` not later than `time`; `nil` changes nothing.
    mutating func requestUpdate(at time: Date?) {
        nextUpdate = [nextUpdate, time].compactMap(\.self).min()
    }

    mutating func add(_ problem: Problem) {
        if !problems.contains(problem) { problems.append(problem) }
    }

    // MARK: Published files

    /// Adds what was published, and a problem for each item of the user that was in the way.
    mutating func add(_ published: ViewFiles.Outcome, in root: Directory) {
        addWithoutObstructions(published)
        for path in published.obstructed { addObstruction(by: path, in: root) }
    }

    /// Adds what was published or removed; an item of the user that was in the way is no problem.
    mutating func addWithoutObstructions(_ published: ViewFiles.Outcome) {
        changedPaths += published.changed
        addReadErrors(
            published.unreadable + published.failures, consequence: "it is left as it is")
    }

    /// Adds the problem that a file or directory of the user is at `path`, or in place of a directory above it.
    mutating func addObstruction(by path: String, in root: Directory) {
        let item = ViewFiles.itemInTheWay(of: path, in: root)
        add(.inTheWay(path: item, text: ViewFiles.obstruction(by: item, in: root)))
    }

    // MARK: Read errors

    /// Adds the errors of directories, because of which the days from the month of `day` on are missing in `snapshot`.
    mutating func addUnlistedDays(of snapshot: TreeSnapshot, from day: Day) {
        addReadErrors(snapshot.errorsHidingDays(from: day), consequence: "its days are left out")
    }

    /// Adds the errors of the records that could not be read, those of the newest days first.
    mutating func addReadErrors(of records: RecordReader, consequence: String) {
        let errors = records.errors.sorted { $0.key > $1.key }.map(\.value)
        addReadErrors(errors, consequence: consequence)
    }

    /// Adds a problem for each of `errors`, but at most ``maximumReadErrors`` with one `consequence`.
    mutating func addReadErrors(_ errors: [SystemError], consequence: String) {
        let presentCount = problems.count {
            if case .unreadable(_, consequence) = $0 { true } else { false }
        }
        for error in errors.prefix(max(0, Self.maximumReadErrors - presentCount)) {
            add(.unreadable(error, consequence: consequence))
        }
    }
}
