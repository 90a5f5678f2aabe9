package import APOD
package import FoundationEssentials
internal import Mirror
internal import Platform

/// A group of files that are made from the tree, and can be made again at any time, such as the gallery or `latest.jpg`.
///
/// `ViewService` updates all views after each change of the tree, in the order of ``allViews``. A new view is a type that
/// conforms to this protocol, and one more element of ``allViews``.
package protocol View: Sendable {
    /// The name in messages, such as “the gallery”.
    static var title: String { get }
    /// Makes the view, or `nil` if the settings do not ask for it: its files then stay as they are.
    init?(_ settings: ViewSettings)

    /// Writes the files that are outdated, and removes those that are obsolete, only through ``ViewFiles``.
    ///
    /// The files that were written before an error stay.
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
    /// Sentences for people: which items of theirs are in the way, and which files could not be made.
    package internal(set) var problems: [String] = []
    /// The paths of the items of a person that are in the way, which are also among ``problems``.
    package internal(set) var inTheWay: [String] = []
    /// The days whose files in the tree changed, for the views after this one.
    package internal(set) var changedDays: [Day] = []
    /// When the view must be updated even if nothing has changed, as after a conversion that failed; `nil` if it need not.
    package internal(set) var nextUpdate: Date?
    /// Whether something could not be read, so that the view must soon be updated again, even if nothing has changed.
    package internal(set) var isIncomplete = false

    /// The maximum number of problems with one consequence, because a disk that fails would cause thousands.
    static let maximumNamed = 10

    package init() {}

    /// Adds the outcome of another view, or of another part of this view; equal problems are kept once.
    package mutating func merge(_ other: Self) {
        changedPaths += other.changedPaths
        problems += other.problems.filter { !problems.contains($0) }
        inTheWay += other.inTheWay.filter { !inTheWay.contains($0) }
        changedDays += other.changedDays
        requestUpdate(at: other.nextUpdate)
        isIncomplete = isIncomplete || other.isIncomplete
    }

    /// Makes ``nextUpdate`` not later than `time`.
    mutating func requestUpdate(at time: Date?) {
        nextUpdate = [nextUpdate, time].compactMap(\.self).min()
    }

    /// Adds the errors because of which days from the month of `day` on could not be listed, and are missing in `snapshot`.
    mutating func addUnlistedDays(of snapshot: TreeSnapshot, from day: Day) {
        addReadErrors(snapshot.readErrors(from: day), consequence: "its days are left out")
    }

    /// Adds the errors of the records that could not be read.
    mutating func addReadErrors(of records: RecordIterator, consequence: String) {
        let errors = records.errors.sorted { $0.key > $1.key }.map(\.value)
        addReadErrors(errors, consequence: consequence)
    }

    /// Adds what was published, and a problem for each item of the user that was in the way.
    mutating func add(_ published: ViewFiles.Outcome, in root: Directory) {
        addWithoutObstructions(published)
        for path in published.obstructed { addObstruction(by: path, in: root) }
    }

    /// Adds what was published or removed; an item of the user that was in the way is no problem.
    mutating func addWithoutObstructions(_ published: ViewFiles.Outcome) {
        changedPaths += published.changed
        addReadErrors(published.unreadable, consequence: "it is left as it is")
    }

    /// Adds a problem for each of `errors`, `ERROR; CONSEQUENCE`, but at most ``maximumNamed`` with one `consequence`.
    mutating func addReadErrors(_ errors: [SystemError], consequence: String) {
        isIncomplete = isIncomplete || !errors.isEmpty
        let named = problems.count { $0.hasSuffix(consequence) }
        problems += errors.prefix(max(0, Self.maximumNamed - named))
            .map { "\($0); \(consequence)" }.filter { !problems.contains($0) }
    }

    /// Adds the problem that a file or directory of the user is at `path`, where the mirror has to write.
    mutating func addObstruction(by path: String, in root: Directory) {
        let item = ViewFiles.itemInTheWay(of: path, in: root)
        // A directory can be in the way of several files.
        guard !inTheWay.contains(item) else { return }
        inTheWay.append(item)
        problems.append(ViewFiles.obstruction(by: item, in: root))
    }
}
