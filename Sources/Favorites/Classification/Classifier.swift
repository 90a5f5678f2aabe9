internal import APOD
internal import Mirror
internal import Platform

/// Classifies the items in `favorites/` by lstat(2), readlink(2) and the first bytes of files.
///
/// It opens nothing itself and follows no link: links and addresses are resolved by their text.
struct Classifier {
    /// Access to the mirror and to files, called only where the item itself is not enough.
    struct Lookups {
        /// The day that a name of the newest day, such as `latest.jpg`, shows.
        var latestDay: (String) -> Day? = { _ in nil }
        /// The day that a name referred to in the last scan.
        var recordedDay: (FavoriteName) -> Day? = { _ in nil }
        /// The days that a file of this size and modification time was recorded for, under any name.
        var editedDays: (ScannedItem) -> [Day] = { _ in [] }
        /// The recorded day of a link to `latest.*` with this modification time.
        var dayOfLatestLink: (FavoriteName, Int) -> Day? = { _, _ in nil }
        /// The first bytes of a file, at most 64 KiB.
        var readStart: (ScannedItem) throws(SystemError) -> [UInt8]
        /// The day whose picture the file is, by inode or by hash.
        var matchingPicture: (ScannedItem) throws(SystemError) -> (Day, ReferenceKind)?
    }

    let items: [ScannedItem]
    let resolver: LinkResolver
    let lookups: Lookups
    /// Needed for links to other favorites, which are rare.
    lazy var itemsByName = Dictionary(items.map { ($0.name, $0) }) { first, _ in first }
    /// The names that lead through `latest.*`, each with the modification time of the link to it.
    private(set) var latestLinkTimes: [FavoriteName: Int] = [:]

    mutating func classify(_ item: ScannedItem) -> Classification {
        if IgnoreRules.ignores(item.name) { return .ignored }
        return switch item.kind {
        case .directory: .ignored
        case .fifo, .socket, .device, .other:
            .unrecognized("is a FIFO, a socket or a device, which is never opened")
        case .symbolicLink: classifyLink(item, for: item, hops: 0)
        case .file: classifyFile(item)
        }
    }

    // MARK: Links

    /// As many as the kernel follows, see path_resolution(7).
    private static let maximumHops = 40

    /// Classifies `item` by `link`, which it leads to over `hops` other favorites.
    private mutating func classifyLink(
        _ link: ScannedItem, for item: ScannedItem, hops: Int
    ) -> Classification {
        guard let target = link.linkTarget, !target.isEmpty else {
            return .unrecognized("is a link whose target is longer than any path of a mirror")
        }
        let destination = resolver.destination(target, from: link.name)
        if case .inside(let path) = destination,
            let name = path.below(PathText(Layout.favorites)).flatMap({ FavoriteName($0.bytes) }),
            let next = itemsByName[name]
        {
            guard hops < Self.maximumHops else {
                return .unrecognized("is part of a loop of links")
            }
            guard next.kind == .symbolicLink else {
                return switch classify(next) {
                case .favorite(let day, _): .favorite(day, .link)
                case .unreadable(let error): .unreadable(error)
                case .ignored, .unrecognized:
                    .unrecognized("leads to \(quoted(next.name.bytes)), which is no favorite")
                }
            }
            return classifyLink(next, for: item, hops: hops + 1)
        }
        return classify(destination, target, of: link, for: item, as: .link)
    }

    /// Classifies `item` by the destination of `link`, whose text is `target`.
    mutating func classify(
        _ destination: LinkResolver.Destination, _ target: [UInt8], of link: ScannedItem,
        for item: ScannedItem, as kind: ReferenceKind
    ) -> Classification {
        switch destination {
        case .inside(let path):
            // A link to any other path of the tree keeps its recorded day.
            (day(of: path, by: link, for: item) ?? lookups.recordedDay(item.name))
                .map { .favorite($0, kind) }
                ?? .unrecognized("leads to \(quoted(target)), which is no picture: link a picture")
        case .outside(let path):
            path.anyDay.map { .favorite($0, kind) }
                ?? .unrecognized("leads out of the mirror, to \(quoted(target)), and names no day")
        }
    }

    /// The day of a file in the mirror, or the one that `latest.*` led to when `link` was found, which leads there.
    mutating func day(of path: PathText, by link: ScannedItem, for item: ScannedItem) -> Day? {
        if let day = path.mirroredDay { return day }
        guard let name = path.latestName else { return path.day }
        let recorded = lookups.dayOfLatestLink(link.name, link.modified)
        // A relative link that was moved leads to another folder, but keeps its day.
        guard path.parts.count == 1 || recorded != nil else { return path.day }
        latestLinkTimes[item.name] = link.modified
        return recorded ?? lookups.latestDay(name)
    }
}

/// A path or an address in a reason: on one line and shortened.
func quoted(_ bytes: some Collection<UInt8>) -> String {
    "“\(String(decoding: bytes, as: UTF8.self).excerpt(120))”"
}
