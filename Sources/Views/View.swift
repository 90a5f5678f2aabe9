package import APOD
package import FoundationEssentials
internal import Mirror
internal import Platform

/// A group of files that are made from the tree, and can be made again at any time, such as the gallery or `latest.jpg`.
///
/// `ViewService` updates all views after each change of the tree, in the order of ``allViews``. A new view is a type that
/// conforms to this protocol, and one more element there.
package protocol View: Sendable {
    /// The name in messages, such as “the gallery”.
    static var title: String { get }
    /// `nil` if the settings want no such view. Then its files stay as they are.
    init?(_ settings: ViewSettings)

    /// Writes or removes each file that is not up to date, only through ``ViewFiles``.
    ///
    /// After an error, the files that were written before it stay.
    func update(_ input: ViewInput) async throws -> ViewOutcome
}

/// All views, each of which may show files of the views before it.
///
/// ``LatestView`` announces a day whose thumbnail, gallery page and feed entry are there. ``SidecarsView`` takes longest.
package let allViews: [any View.Type] = [
    ThumbnailsView.self,
    GalleryView.self,
    FeedView.self,
    WallpapersView.self,
    V1View.self,
    LatestView.self,
    SidecarsView.self,
]

/// The settings of all views.
package struct ViewSettings: Sendable {
    /// The URL of the root on a web server, with a slash at its end; `nil` for relative addresses.
    package var baseURL: String?
    /// The number of newest days in `v1/`; `nil` for 400 if there is a base URL, else none.
    package var v1Days: Int?
    package var wallpapers = WallpaperOptions()
    package var makesThumbnails = true
    package var writesSidecars = false

    package init() {}
}

/// What one update of a view has changed, and what it could not do.
package struct ViewOutcome: Hashable, Sendable {
    /// The paths that were written or removed, relative to the root.
    package internal(set) var changedPaths: [String] = []
    /// Sentences for people about items in the way, and about files that could not be made.
    package internal(set) var problems: [String] = []
    /// The days whose files in the tree changed, for the views after this one.
    package internal(set) var changedDays: [Day] = []
    /// When the view must be updated even if nothing changes, as after a conversion that failed; `nil` if not.
    package internal(set) var nextUpdate: Date?
    /// Whether something could not be read, so that the view must be updated again even if nothing changes.
    package internal(set) var isIncomplete = false

    /// The maximum number of problems with one consequence, because a disk that fails would cause thousands.
    static let maximumNamed = 10

    package init() {}

    package static func += (outcome: inout Self, other: Self) {
        outcome.changedPaths += other.changedPaths
        outcome.problems += other.problems.filter { !outcome.problems.contains($0) }
        outcome.changedDays += other.changedDays
        outcome.requestUpdate(at: other.nextUpdate)
        outcome.isIncomplete = outcome.isIncomplete || other.isIncomplete
    }

    /// Makes ``nextUpdate`` not later than `time`.
    mutating func requestUpdate(at time: Date?) {
        nextUpdate = [nextUpdate, time].compactMap(\.self).min()
    }

    /// Adds the read errors that hide days of `snapshot`, from the month of `day` on, which the view leaves out.
    mutating func addHiddenDays(of snapshot: TreeSnapshot, from day: Day) {
        addUnreadable(snapshot.readErrors(from: day), "its days are left out")
    }

    /// Adds the read errors of records, each with its `consequence`.
    mutating func addUnreadable(_ records: RecordIterator, _ consequence: String) {
        addUnreadable(records.errors.sorted { $0.key > $1.key }.map(\.value), consequence)
    }

    /// Adds the changed files, and the problem of each item of the user in the way.
    mutating func add(_ made: ViewFiles.Outcome, in root: Directory) {
        addChanges(made)
        for path in made.obstructed { addObstruction(by: path, in: root) }
    }

    /// Adds the changed files, but no problem for items of the user in the way.
    mutating func addChanges(_ made: ViewFiles.Outcome) {
        changedPaths += made.changed
        addUnreadable(made.unreadable, "it is left as it is")
    }

    /// Adds the problem of each of `errors`, with its `consequence`, up to ``maximumNamed``; the view tries again later.
    mutating func addUnreadable(_ errors: [SystemError], _ consequence: String) {
        isIncomplete = isIncomplete || !errors.isEmpty
        let named = problems.count { $0.hasSuffix(consequence) }
        problems += errors.prefix(max(0, Self.maximumNamed - named))
            .map { "\($0); \(consequence)" }.filter { !problems.contains($0) }
    }

    /// Adds the problem that a file or directory of the user is at `path`, where the mirror has to write.
    mutating func addObstruction(by path: String, in root: Directory) {
        let problem = ViewFiles.obstruction(by: path, in: root)
        // A directory can be in the way of several files.
        if !problems.contains(problem) { problems.append(problem) }
    }
}
