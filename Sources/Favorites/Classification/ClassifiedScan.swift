internal import APOD
internal import Mirror
internal import Platform

/// A scan whose items are classified: references to days, and unrecognized items.
struct ClassifiedScan {
    private(set) var references: [FavoriteReference] = []
    /// The item of each of ``references``, in the same order.
    private(set) var items: [ScannedItem] = []
    /// The paths that could not be read, items and folders: a favorite may lie at or below them.
    private(set) var failures: [DirectoryListing.UnreadableItem]
    /// At most ``unrecognizedLimit`` unrecognized items, by name: the first that the scan found.
    private(set) var unrecognized: [UnrecognizedItem] = []
    private(set) var unrecognizedCount = 0

    private static let unrecognizedLimit = 1000

    init(
        _ scan: Scan, in tree: Tree, resolver: LinkResolver, recorded: [Day: Favorite],
        cache: inout ClassificationCache, now: Int
    ) {
        failures = scan.failures
        var classifier = Classifier(scan, in: tree, resolver: resolver, recorded: recorded)
        for item in scan.items {
            let classification = cache[item] ?? classifier.classify(item)
            let latest = classifier.latestLinkTimes[item.name].map {
                LatestLinkRecord(name: item.name, modified: $0)
            }
            if latest == nil { cache.store(classification, for: item, now: now) }
            switch classification {
            case .ignored: break
            case .unrecognized(let reason): add(item, reason)
            case .unreadable(let error):
                failures.append(.init(path: Array(item.name.bytes), error: error))
                add(
                    item,
                    "cannot be read (\(error.reason)): give the user of the daemon read permission")
            case .favorite(let day, let kind):
                references.append(
                    FavoriteReference(
                        name: item.name, day: day, kind: kind, latest: latest,
                        edited: [.edited, .named].contains(kind) ? EditedFile(item) : nil))
                items.append(item)
            }
        }
        cache.removeAll(except: scan.items)
        unrecognized.sort { $0.name < $1.name }
    }

    private mutating func add(_ item: ScannedItem, _ reason: String) {
        unrecognizedCount += 1
        guard unrecognized.count < Self.unrecognizedLimit else { return }
        unrecognized.append(UnrecognizedItem(name: item.name, reason: reason))
    }
}
