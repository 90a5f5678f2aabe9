internal import APOD
internal import Mirror
internal import Platform

/// What a look at `favorites/` means: the same for the daemon and for a command that only asks.
struct ClassifiedScan {
    private(set) var sightings: [FavoriteReference] = []
    /// What says nothing, at most ``most`` of it.
    private(set) var notUnderstood: [UnrecognizedItem] = []
    /// How much says nothing.
    private(set) var notUnderstoodCount = 0
    /// What was found for each of ``sightings``, in the same order.
    private(set) var items: [ScannedItem] = []

    /// So many reasons are kept.
    private static let most = 1000

    init(
        _ scan: Scan, in tree: Tree, reader: LinkReader, recorded: [Day: Favorite],
        remembered: inout ClassificationCache, now: Int
    ) {
        var classifier = Classifier(
            scan.items, reader: reader,
            knowledge: ClassificationContext(tree: tree, recorded: recorded).knowledge)
        for item in scan.items {
            let verdict = remembered[item] ?? classifier.verdict(of: item)
            let made = classifier.ledThroughLatest[item.name]
            if made == nil { remembered.note(item, verdict, now: now) }
            switch verdict {
            case .ignored: break
            case .notUnderstood(let reason):
                notUnderstoodCount += 1
                guard notUnderstood.count < Self.most else { continue }
                notUnderstood.append(
                    UnrecognizedItem(name: FavoriteName(copying: item.name), reason: reason))
            case .favorite(let day, let via):
                sightings.append(FavoriteReference(item.name, day, via, latestMade: made))
                items.append(item)
            }
        }
        remembered.keepOnly(scan.items)
        notUnderstood.sort { $0.name < $1.name }
    }
}
