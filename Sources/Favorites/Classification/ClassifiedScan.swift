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

    /// Whether an unrecognized file is perhaps being copied, so that it must be read again in a few seconds.
    var hasUnsettledFiles: Bool { unrecognized.contains { !$0.isSettled } }
    /// Whether there was no time for a file, so that the next scan is to begin at once.
    var isUnfinished: Bool { unreadFiles.contains(where: \.error.isCancelled) }

    /// Classifies links first, then files until `isOverdue`; if it may be, none are read after a new link.
    ///
    /// `book` has the favorites before this scan, `known` the ``knownFiles`` of the scan before. `now` are seconds since
    /// 1970.
    init(
        _ scan: Scan, in mirror: Store, _ book: Book,
        known: [ScannedItem: Classification], now: Int, isOverdue: (@Sendable () -> Bool)? = nil
    ) {
        var classifier = Classifier(
            scan, in: mirror, recorded: book.favorites, isOverdue: isOverdue)
        for item in scan.items where item.kind != .file {
            add(item, as: classifier.classify(item))
        }
        // A new link is recorded at once: the next scan reads the files, which takes long. One whose record cannot be read
        // is not recorded now.
        let recordedDays = book.days
        let hasNewLink = references.contains { !recordedDays.contains($0.day) }
        classifier.readsFiles = isOverdue == nil || !hasNewLink
        for item in scan.items where item.kind == .file {
            let classification = known[item] ?? classifier.classify(item)
            // Of what was just changed, the next scan may find the same times, and other contents.
            let isSettled = item.isSettled(at: now)
            add(item, as: classification, isSettled: isSettled)
            if case .unread = classification { continue }
            if isSettled { knownFiles[item] = classification }
        }
        unrecognized.sort { $0.name < $1.name }
    }

    private mutating func add(
        _ item: ScannedItem, as classification: Classification, isSettled: Bool = true
    ) {
        switch classification {
        case .ignored: break
        case .unrecognized(let reason):
            unrecognized.append(
                UnrecognizedItem(name: item.name, reason: reason, isSettled: isSettled))
        case .unread(let error):
            unreadFiles.append(.init(path: item.name.bytes, error: error))
            // The next scan reads it.
            guard !error.isCancelled else { break }
            if error.isGrowing {
                let reason = "is being copied: \(error.reason)"
                add(item, as: .unrecognized(reason), isSettled: false)
            } else {
                unrecognized.append(UnrecognizedItem(item.name, unreadableBy: error))
            }
        case .favorite(let day, let kind):
            references.append(FavoriteReference(item: item, day: day, kind: kind))
        }
    }
}
