internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// The items of one scan of `favorites/`, sorted by what they mean: references to days, unrecognized items, and unread files.
///
/// An item, such as a link to a picture, refers to the day that it makes a favorite. ``Survey`` makes a classified scan for the
/// daemon and for each command on favorites. ``Reconciliation`` compares it with the records.
struct ClassifiedScan {
    private(set) var references: [FavoriteReference] = []
    /// The files that could not be read, or that the scan had no time to read: any favorite may have its file among them.
    private(set) var unreadFiles: [DirectoryListing.UnreadableItem] = []
    private(set) var unrecognized: [UnrecognizedItem] = []
    /// What the files mean that were read, and are unlikely to change.
    private(set) var classifications: [ScannedItem: Classification] = [:]

    /// The files that refer to days, by their inodes.
    var referencesByInode: [FileIdentity: FavoriteReference] {
        let files = references.filter { $0.item.kind == .file }
        return Dictionary(files.map { ($0.item.identity, $0) }) { first, _ in first }
    }

    /// Whether an unrecognized file may still be being copied, so that it must be read again in a few seconds.
    var hasIncompleteFiles: Bool { unrecognized.contains(where: \.mayBeIncomplete) }
    /// Whether there was no time for a file, so that the next scan is to begin at once.
    var isUnfinished: Bool { unreadFiles.contains(where: \.error.isCancelled) }

    /// Classifies all links of `scan`, then the files for which there is `readingTime`.
    ///
    /// `recorded` are the favorites before the scan, and `knownFiles` the files that are not read again. A file that was changed
    /// just before `now`, the begin of the scan, may still be being copied.
    init(
        _ scan: Scan, in mirror: Store, recorded: StoredFavorites, knownFiles: KnownFiles,
        now: Date, readingTime: ReadingTime
    ) {
        var classifier = Classifier(
            scan, in: mirror, recorded: recorded.favorites, knownFiles: knownFiles,
            readingTime: readingTime)
        for item in scan.items where item.kind != .file {
            add(item, as: classifier.classify(item))
        }
        let recordedDays = recorded.days
        let hasNewLink = references.contains { !recordedDays.contains($0.day) }
        // If time is short, a new link is recorded at once, and the next scan reads the files. Otherwise, this scan reads at
        // least one file, even if the files to which links lead took all the time.
        let leavesFilesToNextScan = readingTime.isLimited && hasNewLink
        classifier.files.mayRead = !leavesFilesToNextScan
        for file in scan.items where file.kind == .file {
            let classification = knownFiles.classifications[file] ?? classifier.classify(file)
            addFile(file, as: classification, mayBeIncomplete: file.hasJustChanged(at: now))
        }
        unrecognized.sort { $0.name < $1.name }
    }

    /// Adds a file, which need not be read again unless it was not read now or `mayBeIncomplete`.
    private mutating func addFile(
        _ file: ScannedItem, as classification: Classification, mayBeIncomplete: Bool
    ) {
        add(file, as: classification, mayBeIncomplete: mayBeIncomplete)
        if case .unread = classification { return }
        if !mayBeIncomplete { classifications[file] = classification }
    }

    private mutating func add(
        _ item: ScannedItem, as classification: Classification, mayBeIncomplete: Bool = false
    ) {
        switch classification {
        case .ignored: break
        case .favorite(let day, let kind):
            references.append(FavoriteReference(item: item, day: day, kind: kind))
        case .unrecognized(let reason):
            unrecognized.append(
                UnrecognizedItem(item.name, reason, mayBeIncomplete: mayBeIncomplete))
        case .unread(let error): addUnread(item, error)
        }
    }

    private mutating func addUnread(_ item: ScannedItem, _ error: SystemError) {
        unreadFiles.append(.init(path: item.name.bytes, error: error))
        // A file for which there was no time is no news for the user: the next scan reads it.
        if error.isCancelled { return }
        let reason: UnrecognizedReason = error.isGrowing ? .growing(error) : .unreadable(error)
        unrecognized.append(
            UnrecognizedItem(item.name, reason, mayBeIncomplete: error.isGrowing))
    }
}
