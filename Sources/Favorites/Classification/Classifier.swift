internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// Finds the day to which each item in `favorites/` refers: its ``Classification``.
///
/// The text of links and the status of files come from the scan. The kernel follows no link: this resolves links by
/// their text, because their target may be visible to the user alone. ``FileClassifier`` reads files.
struct Classifier {
    private let scan: Scan
    private let mirror: Store
    private let root: PathText
    private let recorded: [Day: Favorite]
    var files: FileClassifier
    /// Made when a link leads to another item, as few do.
    private lazy var itemsByName = Dictionary(
        scan.items.map { ($0.name, $0) }
    ) { first, _ in first }

    /// `recorded` are the favorites before the scan; files are read until `isOverdue`, or all if it is `nil`.
    init(
        _ scan: Scan, in mirror: Store, recorded: [Day: Favorite],
        isOverdue: (@Sendable () -> Bool)? = nil
    ) {
        self.scan = scan
        self.mirror = mirror
        self.recorded = recorded
        root = PathText(mirror.tree.root.path)
        files = FileClassifier(in: mirror, recorded: recorded, isOverdue: isOverdue)
    }

    mutating func classify(_ item: ScannedItem) -> Classification {
        if IgnoreRules.ignores(item.name) { return .ignored }
        return switch item.kind {
        case .directory: .ignored
        case .other: .unrecognized(.special)
        case .symbolicLink: followLink(item)
        case .file: files.classify(item)
        }
    }

    // MARK: Links

    /// As many links of one path as the kernel follows, see path_resolution(7).
    private static let maximumLinks = 40

    /// Classifies a link, and follows it by its text while it leads to other links in `favorites/`.
    private mutating func followLink(_ item: ScannedItem) -> Classification {
        var link = item
        for _ in 0..<Self.maximumLinks {
            // The scan leaves the text of a link empty if it is too long; the kernel makes no empty one.
            guard let target = link.linkTarget, !target.isEmpty else {
                return .unrecognized(.longLinkTarget)
            }
            let destination = LinkDestination(target, from: link.name, in: root)
            guard let next = scannedItem(at: destination) else {
                return classifyEnd(of: link.name, at: destination, target)
            }
            guard next.kind == .symbolicLink else { return classifyLink(toItem: next) }
            link = next
        }
        return .unrecognized(.linkChain(longerThan: Self.maximumLinks))
    }

    private mutating func scannedItem(at destination: LinkDestination) -> ScannedItem? {
        guard case .inside(let path) = destination,
            let inner = path.below(PathText(Layout.favorites)),
            let name = FavoriteName(inner.bytes)
        else { return nil }
        return itemsByName[name]
    }

    private mutating func classifyLink(toItem item: ScannedItem) -> Classification {
        switch classify(item) {
        case .favorite(let day, _): .favorite(day, .link)
        case .unread(let error): .unread(error)
        case .ignored, .unrecognized: .unrecognized(.linkToItem(item.name.bytes))
        }
    }

    /// Classifies a link whose `destination` is no item in `favorites/`.
    ///
    /// `link` is the classified item, or the last of the links to which it leads; `target` is its text.
    private mutating func classifyEnd(
        of link: FavoriteName, at destination: LinkDestination, _ target: [UInt8]
    ) -> Classification {
        do throws(SystemError) {
            switch destination {
            case .inside(let path):
                if let day = try day(of: path, by: link) { return .favorite(day, .link) }
                let isFolder = (try? mirror.tree.root.status(path.bytes))??.kind == .directory
                return .unrecognized(isFolder ? .linkToFolder(target) : .linkToOtherFile(target))
            case .outside(let path):
                if let day = path.fileDay { return .favorite(day, .link) }
                if let day = try mirror.day(ofRecentLink: link, to: path) {
                    return .favorite(day, .link)
                }
                return .unrecognized(.linkOutOfMirror(target))
            }
        } catch {
            return .unread(error)
        }
    }

    /// The day of the file at `path` in the mirror, to which `link` leads.
    private mutating func day(
        of path: PathText, by link: FavoriteName
    ) throws(SystemError) -> Day? {
        // A folder in `favorites/` may have a name such as `2026-11-20`.
        if let inner = path.below(PathText(Layout.favorites)), mayBeFolder(inner) { return nil }
        if let day = path.mirroredDay { return day }
        guard let name = path.latestName else { return path.fileDay }
        // The daemon replaces a link to `latest.*`, because that shows another day tomorrow. Where the daemon may not
        // write, the link keeps its recorded day, unless it was made after that day was added.
        if let day = files.recordedDays[link], let favorite = recorded[day], !favorite.isMissing,
            try wasMade(link, before: favorite.added)
        {
            return day
        }
        return try mirror.day(ofLatest: name)
    }

    /// Whether `path`, below `favorites/`, is a folder, or is at or below a path that could not be read.
    private func mayBeFolder(_ path: PathText) -> Bool {
        scan.folders.contains(path.bytes)
            || scan.failures.contains { path.below(PathText($0.path)) != nil }
    }

    /// Whether `link` was made in the second of `date` or before.
    private func wasMade(_ link: FavoriteName, before date: Date) throws(SystemError) -> Bool {
        guard let status = try ifValid(mirror.tree.root.status(link.path)) else { return false }
        return Double(status.modified) <= date.timeIntervalSince1970
    }
}
