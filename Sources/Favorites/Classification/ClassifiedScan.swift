internal import APOD
internal import Mirror
internal import Platform

/// A scan whose items are classified: references to days, and unrecognized items.
struct ClassifiedScan {
    private(set) var references: [FavoriteReference] = []
    /// The item of each of ``references``, in the same order.
    private(set) var items: [ScannedItem] = []
    /// The first ``unrecognizedLimit`` unrecognized items, by name.
    private(set) var unrecognized: [UnrecognizedItem] = []
    /// The number of all unrecognized items.
    private(set) var unrecognizedCount = 0

    private static let unrecognizedLimit = 1000

    init(
        _ scan: Scan, in tree: Tree, reader: LinkReader, recorded: [Day: Favorite],
        cache: inout ClassificationCache, now: Int
    ) {
        var classifier = Classifier(
            scan.items, reader: reader,
            lookups: ClassificationContext(tree: tree, recorded: recorded).lookups)
        for item in scan.items {
            let classification = cache[item] ?? classifier.classify(item)
            let latestLinkModified = classifier.latestLinkTimes[item.name]
            if latestLinkModified == nil { cache.store(classification, for: item, now: now) }
            switch classification {
            case .ignored: break
            case .unrecognized(let reason):
                unrecognizedCount += 1
                guard unrecognized.count < Self.unrecognizedLimit else { continue }
                unrecognized.append(UnrecognizedItem(name: item.name, reason: reason))
            case .favorite(let day, let kind):
                references.append(
                    FavoriteReference(
                        item.name, day, kind, latestLinkModified: latestLinkModified))
                items.append(item)
            }
        }
        cache.removeAll(except: scan.items)
        unrecognized.sort { $0.name < $1.name }
    }
}
