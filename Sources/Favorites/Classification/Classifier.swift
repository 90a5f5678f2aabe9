internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// Classifies the items in `favorites/` by lstat(2), readlink(2) and the first bytes of files.
///
/// No link is followed: links and addresses are resolved by their text. The mirror and files are read when
/// they are first needed, for items that their scan does not classify.
struct Classifier {
    let scan: Scan
    /// The mirror; `nil` to read nothing.
    let tree: Tree?
    let resolver: LinkResolver
    private let recorded: [Day: Favorite]

    private lazy var itemsByName = Dictionary(
        scan.items.map { ($0.name, $0) }
    ) { first, _ in first }
    /// The favorite that was present last comes first: it keeps a name or a file that several had.
    private lazy var favorites = recorded.values.sorted { $0.lastPresent > $1.lastPresent }
    /// The days to which the names referred in the last scan.
    lazy var recordedDays = Dictionary(
        favorites.flatMap { favorite in favorite.names.map { ($0, favorite.day) } }
    ) { first, _ in first }

    struct FileOfDay {
        let file: KnownFile
        let day: Day
    }

    /// The recorded files, by their size.
    lazy var knownFiles = Dictionary(
        grouping: favorites.flatMap { favorite in
            favorite.files.map { FileOfDay(file: $0, day: favorite.day) }
        }, by: \.file.size)
    /// The bytes of unknown files that may still be read.
    var budget: Int
    /// The pictures of the mirror; `nil` until they are needed.
    var pictures: Result<PictureIndex, any Error>?

    init(
        _ scan: Scan, in tree: Tree?, resolver: LinkResolver, recorded: [Day: Favorite],
        limit: Int = .max
    ) {
        budget = limit
        self.scan = scan
        self.tree = tree
        self.resolver = resolver
        self.recorded = recorded
    }

    mutating func classify(_ item: ScannedItem) -> Classification {
        if IgnoreRules.ignores(item.name) { return .ignored }
        return switch item.kind {
        case .directory: .ignored
        case .fifo, .socket, .device, .other:
            .unrecognized("is a FIFO, a socket or a device, which is never opened")
        case .symbolicLink: classifyLink(item)
        case .file: classifyKnownFile(item) ?? classifyFile(item)
        }
    }

    /// The recorded classification of a file that has not changed; `nil` if it must be read.
    private mutating func classifyKnownFile(_ item: ScannedItem) -> Classification? {
        guard let stamp = item.stamp, let day = recordedDays[item.name] else { return nil }
        return knownFiles[item.size]?.first { $0.day == day && $0.file.stamp == stamp }
            .map { .favorite(day, $0.file.kind) }
    }

    // MARK: Links

    /// As many links as the kernel follows, see path_resolution(7).
    private static let maximumHops = 40

    /// Classifies a link, and follows it by its text while it leads to other links in `favorites/`.
    private mutating func classifyLink(_ item: ScannedItem) -> Classification {
        var link = item
        for _ in 0...Self.maximumHops {
            guard let target = link.linkTarget, !target.isEmpty else {
                return .unrecognized("is a link whose target is longer than any path of a mirror")
            }
            let destination = resolver.destination(target, from: link.name)
            guard let next = scannedItem(at: destination) else {
                return classify(
                    item, as: .link, by: link, target: target, destination: destination)
            }
            guard next.kind == .symbolicLink else { return classifyLink(to: next) }
            link = next
        }
        return .unrecognized("is part of a loop of links")
    }

    /// The scanned item at `destination`; `nil` also for folders and for paths outside `favorites/`.
    private mutating func scannedItem(
        at destination: LinkResolver.Destination
    ) -> ScannedItem? {
        guard case .inside(let path) = destination,
            let inner = path.below(PathText(Layout.favorites)),
            let name = FavoriteName(inner.bytes)
        else { return nil }
        return itemsByName[name]
    }

    /// Classifies a link to `item` in `favorites/`, which is no link itself.
    private mutating func classifyLink(to item: ScannedItem) -> Classification {
        switch classify(item) {
        case .favorite(let day, _): .favorite(day, .link)
        case .unreadable(let error): .unreadable(error)
        case .unread: .unread
        case .ignored, .unrecognized:
            .unrecognized("leads to \(quoted(item.name.bytes)), which is no favorite")
        }
    }

    /// Classifies `item` by where `link` leads: a link to which it leads, or the item itself.
    ///
    /// `target` is the text of `link`, and `destination` is the same text resolved.
    mutating func classify(
        _ item: ScannedItem, as kind: ReferenceKind, by link: ScannedItem, target: [UInt8],
        destination: LinkResolver.Destination
    ) -> Classification {
        switch destination {
        case .inside(let path):
            // A link to a path of the tree without a day keeps its recorded one.
            (day(of: path, by: link) ?? recordedDays[item.name])
                .map { .favorite($0, kind) }
                ?? .unrecognized("leads to \(quoted(target)), which is no picture: link a picture")
        case .outside(let path):
            path.anyDay.map { .favorite($0, kind) }
                ?? .unrecognized("leads out of the mirror, to \(quoted(target)), and names no day")
        }
    }

    /// The day of the file at `path` in the mirror; of `latest.*` the day that it shows, or the recorded one.
    mutating func day(of path: PathText, by link: ScannedItem) -> Day? {
        // A folder in `favorites/` may be named like a day.
        if let inner = path.below(PathText(Layout.favorites)), scan.folders.contains(inner.bytes) {
            return nil
        }
        if let day = path.mirroredDay { return day }
        guard path.parts.count == 1, let name = path.latestName else { return path.fileDay }
        // A link that could not be replaced keeps its day; one made after the favorite was added is new.
        if let day = recordedDays[link.name], let favorite = recorded[day], !favorite.isMissing,
            let status = (try? tree?.root.status(link.name.path)) ?? nil,
            Double(status.modified) <= favorite.added.timeIntervalSince1970
        {
            return day
        }
        return tree.flatMap { LinkTargets.dayOfLatest(in: $0, named: name) }
    }
}

/// A path or an address for the text of a reason: on one line and shortened.
func quoted(_ bytes: some Collection<UInt8>) -> String {
    "“\(String(decoding: bytes, as: UTF8.self).excerpt(120))”"
}
