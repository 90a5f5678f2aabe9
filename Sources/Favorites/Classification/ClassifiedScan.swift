internal import APOD
internal import Mirror
internal import Platform

/// A scan of `favorites/` with the meaning of its items: references to days, and unrecognized items.
///
/// Each reconciliation and each command on favorites makes one; ``Reconciliation`` compares the references
/// with the records.
struct ClassifiedScan {
    private(set) var references: [FavoriteReference] = []
    /// The files that were not read: each may be the item of any favorite, which stays.
    private(set) var unreadFiles: [DirectoryListing.UnreadableItem] = []
    /// By name.
    private(set) var unrecognized: [UnrecognizedItem] = []

    /// The meanings of files that the next scan need not read again: a file that has changed is another ``ScannedItem``.
    private(set) var knownFiles: [ScannedItem: Classification] = [:]

    /// Whether a file grew while it was read, so that it must be read again in a few seconds.
    var hasGrowingFiles: Bool { unreadFiles.contains(where: \.error.isGrowing) }
    /// Whether there was no time for a file, so that the next scan is to begin at once.
    var isUnfinished: Bool { unreadFiles.contains(where: \.error.isCancelled) }

    /// Classifies links first, then files until `isOverdue`; if it may be, none are read after a new link.
    ///
    /// `recorded` are the favorites before this scan, `known` the ``knownFiles`` of the scan before. `now` are seconds since
    /// 1970; `snapshots` has the walk that the process holds.
    init(
        _ scan: Scan, in tree: Tree, _ snapshots: SnapshotOwner?, recorded: [Day: Favorite],
        known: [ScannedItem: Classification], now: Int, isOverdue: (@Sendable () -> Bool)? = nil
    ) {
        var classifier = Classifier(
            scan, in: tree, snapshots, recorded: recorded, isOverdue: isOverdue)
        for item in scan.items where item.kind != .file {
            add(item, as: classifier.classify(item))
        }
        // A new link is recorded at once: the next scan reads the files, which takes long.
        let hasNewLink = references.contains { recorded[$0.day] == nil }
        classifier.readsFiles = isOverdue == nil || !hasNewLink
        for item in scan.items where item.kind == .file {
            let classification = known[item] ?? classifier.classify(item)
            add(item, as: classification)
            if case .unread = classification { continue }
            // Of what was just changed, the next scan may find the same times, and other contents.
            if item.isSettled(at: now) { knownFiles[item] = classification }
        }
        unrecognized.sort { $0.name < $1.name }
    }

    private mutating func add(_ item: ScannedItem, as classification: Classification) {
        switch classification {
        case .ignored: break
        case .unrecognized(let reason):
            unrecognized.append(UnrecognizedItem(name: item.name, reason: reason))
        case .unread(let error):
            unreadFiles.append(.init(path: item.name.bytes, error: error))
            // The next scan reads it.
            guard !error.isCancelled else { break }
            if error.isGrowing {
                add(item, as: .unrecognized("is being copied: \(error.reason)"))
            } else {
                unrecognized.append(UnrecognizedItem(item.name, unreadableBy: error))
            }
        case .favorite(let day, let kind):
            references.append(FavoriteReference(item: item, day: day, kind: kind))
        }
    }
}
