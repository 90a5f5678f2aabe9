internal import APOD
internal import Mirror
internal import Platform

/// A scan of `favorites/` with the meaning of its items: references to days, and unrecognized items.
///
/// Each reconciliation and each command on favorites makes one; ``FavoriteChanges`` compares the references
/// with the records.
struct ClassifiedScan {
    private(set) var references: [FavoriteReference] = []
    /// The item of each of ``references``, at the same index.
    private(set) var items: [ScannedItem] = []
    /// The files that could not be read: each may be the item of any favorite, which stays.
    private(set) var unreadableFiles: [DirectoryListing.UnreadableItem] = []
    /// The files that the limit left to the next scan: each may be the item of any favorite, too.
    private(set) var postponedFiles: [FavoriteName] = []
    /// The unrecognized items by name, at most ``unrecognizedLimit``: as many as a person may read.
    private(set) var unrecognized: [UnrecognizedItem] = []
    private(set) var unrecognizedCount = 0

    /// Whether a file has just been changed, or is being written, so that it must be read again in a few seconds.
    private(set) var hasUnsettledFiles = false

    private static let unrecognizedLimit = 1000

    /// Classifies links first, then files, of which about `readLimit` bytes are read.
    ///
    /// `recorded` are the favorites before this scan, and `removed` those in the trash: an item that comes back has
    /// its former day. `cache` has the files that earlier scans read. `now` are seconds since 1970.
    init(
        _ scan: Scan, in tree: Tree, resolver: LinkResolver, recorded: [Day: Favorite],
        removed: [Day: Favorite] = [:], cache: inout ClassificationCache, now: Int,
        readLimit: Int = .max
    ) {
        var classifier = Classifier(
            scan, in: tree, resolver: resolver,
            recorded: recorded.merging(removed) { recorded, _ in recorded }, limit: readLimit)
        for item in scan.items where item.kind != .file {
            add(item, as: classifier.classify(item), now: now)
        }
        // A new link is recorded at once: the next scan reads the files, which takes long.
        if readLimit < .max, references.contains(where: { recorded[$0.day] == nil }) {
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
            unreadableFiles.append(.init(path: item.name.bytes, error: error))
            if error.isGrowing || error.code == Classifier.grown {
                hasUnsettledFiles = true
                addUnrecognized(item, because: "is being copied: it grew while it was read")
            } else {
                let advice =
                    error.isPermissionDenied ? ": give the user of the daemon read permission" : ""
                addUnrecognized(item, because: "cannot be read (\(error.reason))\(advice)")
            }
        case .postponed: postponedFiles.append(item.name)
        case .favorite(let day, let kind):
            // Only pictures are read as a whole: the next scan recognizes them by a record.
            let isPicture = KnownFile.kinds.contains(kind) && item.kind == .file
            references.append(
                FavoriteReference(
                    name: item.name, day: day, kind: kind,
                    file: isPicture ? KnownFile(item, kind, now: now) : nil))
            items.append(item)
            if isPicture, !item.isSettled(at: now) { hasUnsettledFiles = true }
        }
    }

    private mutating func addUnrecognized(_ item: ScannedItem, because reason: String) {
        unrecognizedCount += 1
        guard unrecognized.count < Self.unrecognizedLimit else { return }
        unrecognized.append(UnrecognizedItem(name: item.name, reason: reason))
    }
}

/// The classifications of files, kept in memory so that the next scan need not read the files again.
struct ClassificationCache {
    private var classifications: [ScannedItem: Classification] = [:]

    /// The cached classification of `item`, `nil` if its file must be read.
    subscript(item: ScannedItem) -> Classification? {
        item.kind == .file ? classifications[item] : nil
    }

    /// Stores the classification of a file, unless the same file may be classified otherwise in the next scan.
    mutating func store(_ classification: Classification, for item: ScannedItem, now: Int) {
        guard item.kind == .file, item.isSettled(at: now), item.size > 0 else { return }
        switch classification {
        case .unreadable, .postponed: break
        case .favorite, .ignored, .unrecognized: classifications[item] = classification
        }
    }

    /// Forgets files that are gone, once they make the cache larger than the scan.
    mutating func removeAll(except items: [ScannedItem]) {
        guard classifications.count > items.count(where: { $0.kind == .file }) else { return }
        let present = Set(items)
        classifications = classifications.filter { present.contains($0.key) }
    }

    /// Removes unrecognized items: a change of the mirror may make them recognizable.
    mutating func removeUnrecognized() {
        classifications = classifications.filter { !$0.value.isUnrecognized }
    }
}
