internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// Finds the day to which each item in `favorites/` refers, or why it refers to none: its ``Classification``.
///
/// A link is resolved by its text, which the scan has read, and is never opened, because it may lead to a disk that only the
/// user can see. ``FileClassifier`` reads files.
struct Classifier {
    private let scan: Scan
    private let mirror: Store
    private let recorded: [Day: Favorite]
    var files: FileClassifier
    /// Made once a link leads to another item in `favorites/`, which is rare.
    private lazy var itemsByName = Dictionary(
        scan.items.map { ($0.name, $0) }
    ) { first, _ in first }

    /// `recorded` are the favorites before the scan.
    init(
        _ scan: Scan, in mirror: Store, recorded: [Day: Favorite],
        knownFiles: KnownFiles = KnownFiles(), readingTime: ReadingTime = .unlimited
    ) {
        self.scan = scan
        self.mirror = mirror
        self.recorded = recorded
        files = FileClassifier(
            in: mirror, recorded: recorded, lastFiles: knownFiles.referencesByInode,
            readingTime: readingTime)
    }

    mutating func classify(_ item: ScannedItem) -> Classification {
        if IgnoreRules.ignores(item.name) { return .ignored }
        switch item.kind {
        case .directory: return .ignored
        case .other: return .unrecognized(.specialFile)
        case .symbolicLink:
            do throws(SystemError) { return try followLink(item) } catch { return .unread(error) }
        case .file: return files.classify(item)
        }
    }

    // MARK: Links

    /// The kernel follows at most 40 links when it resolves a path, see path_resolution(7).
    private static let maximumLinks = 40

    /// Classifies a link; if it leads to another link in `favorites/`, it means what that link means.
    private mutating func followLink(_ item: ScannedItem) throws(SystemError) -> Classification {
        var link = item
        for _ in 0..<Self.maximumLinks {
            // The scan leaves out the text of a link that is too long. The kernel makes no link with an empty text.
            guard let target = link.linkTarget, !target.isEmpty else {
                return .unrecognized(.longLinkTarget)
            }
            let destination = try LinkDestination(
                LinkText(bytes: target), from: link.name, in: mirror.tree)
            guard let next = scannedItem(at: destination) else {
                return try classifyLink(named: link.name, to: destination, text: target)
            }
            guard next.kind == .symbolicLink else { return classifyLink(toItem: next) }
            link = next
        }
        return .unrecognized(.linkChain(longerThan: Self.maximumLinks))
    }

    private mutating func scannedItem(at destination: LinkDestination) -> ScannedItem? {
        guard case .inside(let path) = destination, let name = path.favoriteName else { return nil }
        return itemsByName[name]
    }

    private mutating func classifyLink(toItem item: ScannedItem) -> Classification {
        switch classify(item) {
        case .favorite(let day, _): .favorite(day, .link)
        case .unread(let error): .unread(error)
        case .ignored, .unrecognized: .unrecognized(.linkToItem(item.name.bytes))
        }
    }

    /// Classifies a link whose `destination`, by its `text`, is no item in `favorites/`.
    private mutating func classifyLink(
        named link: FavoriteName, to destination: LinkDestination, text: [UInt8]
    ) throws(SystemError) -> Classification {
        switch destination {
        case .inside(let path):
            if let day = try day(of: path, by: link) { return .favorite(day, .link) }
            let isFolder = (try? mirror.tree.root.status(path.bytes))??.kind == .directory
            return .unrecognized(isFolder ? .linkToFolder(text) : .linkToOtherFile(text))
        case .outside(let path):
            if let day = path.dayInFileName { return .favorite(day, .link) }
            if let day = try mirror.day(ofRecentLink: link, to: path) {
                return .favorite(day, .link)
            }
            return .unrecognized(.linkOutOfMirror(text))
        }
    }

    /// The day of the file at `path` in the mirror, to which `link` leads; `nil` if the path names no day.
    private mutating func day(
        of path: PathText, by link: FavoriteName
    ) throws(SystemError) -> Day? {
        // A folder that a person made in `favorites/` may be called `2026-11-20`.
        if let inner = path.below(PathText(Layout.favorites)), mayBeFolder(inner) { return nil }
        if let day = path.dayOfMirroredFile { return day }
        guard let latestFile = path.latestFile else { return path.dayInFileName }
        // The daemon soon replaces a link to `latest.jpg` or `latest.json`, which will be of another day tomorrow. Where it
        // may not write, the link keeps its recorded day, unless the link was made after that day became a favorite.
        if let day = files.recordedDays[link], let favorite = recorded[day], !favorite.isMissing,
            try wasMade(link, before: favorite.added)
        {
            return day
        }
        return try mirror.day(of: latestFile)
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
