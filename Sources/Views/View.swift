package import APOD
package import FoundationEssentials
internal import Mirror
internal import Platform

/// Files that are made from the tree, and can be made again at any time: the gallery, `feed.xml`, `latest.jpg`.
///
/// `ViewService` brings all views up to date after each change of the tree, in the order of ``allViews``. A new view is a
/// type that conforms to this, and one more element there.
package protocol View: Sendable {
    /// What it is in messages, such as “the gallery”.
    static var title: String { get }
    /// `nil` if the settings want no such view; its files stay as they are.
    init?(_ settings: ViewSettings)

    /// Writes or removes each of its files that is not up to date, by ``ViewFiles`` alone; after an error, what was written
    /// stays.
    func update(_ input: ViewInput) async throws -> ViewOutcome
}

/// All views; each may show the files of those before it.
///
/// `latest.json` announces a day whose thumbnail, gallery page and feed entry are there; the first sidecars take longest.
package let allViews: [any View.Type] = [
    ThumbnailsView.self,
    GalleryView.self,
    FeedView.self,
    WallpapersView.self,
    V1View.self,
    LatestView.self,
    SidecarsView.self,
]

/// The settings of all views, see Settings.swift of the service.
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
    /// What is in the way, or could not be made, as sentences for people.
    package internal(set) var problems: [String] = []
    /// The days whose files in the tree changed, for the views that come after it.
    package internal(set) var changedDays: [Day] = []
    /// When the view must be updated although nothing changed, as for a conversion that failed; `nil` if not.
    package internal(set) var nextUpdate: Date?
    /// Whether something could not be read or examined, so that the view is to be updated although nothing changed.
    package internal(set) var isIncomplete = false

    /// The maximum number of problems with the same consequence: a disk that fails would cause thousands.
    static let maximumNamed = 10

    package init() {}

    package static func += (outcome: inout Self, other: Self) {
        outcome.changedPaths += other.changedPaths
        outcome.problems += other.problems.filter { !outcome.problems.contains($0) }
        outcome.changedDays += other.changedDays
        outcome.requestUpdate(at: other.nextUpdate)
        outcome.isIncomplete = outcome.isIncomplete || other.isIncomplete
    }

    /// Makes ``nextUpdate`` at most `time`.
    mutating func requestUpdate(at time: Date?) {
        nextUpdate = [nextUpdate, time].compactMap(\.self).min()
    }

    /// Adds the problem of each directory and file that hides days of `snapshot` from the month of `day` on, which the view
    /// leaves out, and tries again later.
    mutating func addHiddenDays(of snapshot: TreeSnapshot, from day: Day) {
        addUnreadable(snapshot.readErrors(from: day), "its days are left out")
    }

    /// Adds the problem of each record that could not be read, with its `consequence`; the view tries again later.
    mutating func addUnreadable(_ records: RecordIterator, _ consequence: String) {
        addUnreadable(records.errors.sorted { $0.key > $1.key }.map(\.value), consequence)
    }

    /// Adds what was written or removed, and the problem of each item of the user in the way.
    mutating func add(_ made: ViewFiles.Outcome, in root: Directory) {
        addChanges(made)
        for path in made.obstructed { addObstruction(by: path, in: root) }
    }

    /// Adds what was written or removed; an item of the user is in nobody's way.
    ///
    /// What cannot be examined is a problem, and is tried again later.
    mutating func addChanges(_ made: ViewFiles.Outcome) {
        changedPaths += made.changed
        addUnreadable(made.unreadable, "it is left as it is")
    }

    /// Adds the problem that each of `errors` hides something, with its `consequence`; of many, the first ones.
    mutating func addUnreadable(_ errors: [SystemError], _ consequence: String) {
        isIncomplete = isIncomplete || !errors.isEmpty
        let named = problems.count { $0.hasSuffix(consequence) }
        problems += errors.prefix(max(0, Self.maximumNamed - named))
            .map { "\($0); \(consequence)" }.filter { !problems.contains($0) }
    }

    /// Adds the problem that a user's file or directory is at `path`, where the mirror has to write.
    mutating func addObstruction(by path: String, in root: Directory) {
        let problem = ViewFiles.obstruction(by: path, in: root)
        // A directory can be in the way of several files.
        if !problems.contains(problem) { problems.append(problem) }
    }
}
