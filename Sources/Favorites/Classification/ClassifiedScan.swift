internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// A scan of `favorites/` with the meaning of its items: references to days, and unrecognized items.
struct ClassifiedScan {
    private(set) var references: [FavoriteReference] = []
    /// The item of each of ``references``, in the same order.
    private(set) var items: [ScannedItem] = []
    /// The paths that could not be read, first those of the scan: a favorite may lie at or below them.
    private(set) var failures: [DirectoryListing.UnreadableItem]
    /// The first ``unrecognizedLimit`` unrecognized items of the scan, by name.
    private(set) var unrecognized: [UnrecognizedItem] = []
    private(set) var unrecognizedCount = 0

    /// Whether the limit left files that were not read.
    private(set) var hasUnread = false
    /// Whether a file has just been changed, so that the next scan has to read it again.
    private(set) var hasUnsettled = false

    private static let unrecognizedLimit = 1000

    /// Classifies links first, then files, of which about `limit` bytes are read.
    ///
    /// With a limit, no file is read if a link is new: the link is recorded at once, and the next scan reads the files.
    /// `removed` are the removed favorites in the trash: an item that comes back has its former day.
    init(
        _ scan: Scan, in tree: Tree, resolver: LinkResolver, recorded: [Day: Favorite],
        removed: [Day: Favorite] = [:], cache: inout ClassificationCache, now: Int,
        limit: Int = .max
    ) {
        failures = scan.failures
        var classifier = Classifier(
            scan, in: tree, resolver: resolver,
            recorded: recorded.merging(removed) { recorded, _ in recorded }, limit: limit)
        for item in scan.items where item.kind != .file {
            add(item, as: classifier.classify(item), now: now)
        }
        if limit < .max, references.contains(where: { recorded[$0.day] == nil }) {
            classifier.budget = 0
        }
        for item in scan.items where item.kind == .file {
            let classification = cache[item] ?? classifier.classify(item)
            cache.store(classification, for: item, now: now)
            add(item, as: classification, now: now)
        }
        cache.removeAll(except: scan.items)
        unrecognized.sort { $0.name < $1.name }
    }

    private mutating func add(
        _ item: ScannedItem, as classification: Classification, now: Int
    ) {
        switch classification {
        case .ignored: break
        case .unrecognized(let reason): addUnrecognized(item, because: reason)
        case .unreadable(let error):
            addFailure(of: item, error)
            // EFBIG: it has grown since the scan; ETXTBSY: see SystemError.isGrowing.
            if [EFBIG, ETXTBSY].contains(error.code) {
                hasUnsettled = true
                addUnrecognized(item, because: "is being copied: it grew while it was read")
            } else {
                addUnrecognized(
                    item,
                    because: "cannot be read (\(error.reason)): give the user of the daemon read"
                        + " permission")
            }
        case .unread:
            hasUnread = true
            addFailure(of: item, SystemError("read", path: item.name.text, code: EAGAIN))
        case .favorite(let day, let kind):
            let isKnown = KnownFile.kinds.contains(kind) && item.kind == .file
            references.append(
                FavoriteReference(
                    name: item.name, day: day, kind: kind,
                    file: isKnown ? KnownFile(item, kind, now: now) : nil))
            items.append(item)
            if isKnown, !item.isSettled(at: now) { hasUnsettled = true }
        }
    }

    private mutating func addFailure(of item: ScannedItem, _ error: SystemError) {
        failures.append(.init(path: Array(item.name.bytes), error: error))
    }

    private mutating func addUnrecognized(_ item: ScannedItem, because reason: String) {
        unrecognizedCount += 1
        guard unrecognized.count < Self.unrecognizedLimit else { return }
        unrecognized.append(UnrecognizedItem(name: item.name, reason: reason))
    }
}
