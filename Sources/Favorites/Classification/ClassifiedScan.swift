internal import APOD
internal import Mirror
internal import Platform

/// The items of one scan of `favorites/`, sorted by what they mean: references to days, unrecognized items, and unread files.
///
/// ``Survey`` makes one for the daemon and for each command on favorites. ``Reconciliation`` compares it with the records.
struct ClassifiedScan {
    private(set) var references: [FavoriteReference] = []
    /// The files that could not be read, or that the scan had no time to read: any favorite may have its file among them.
    private(set) var unreadFiles: [DirectoryListing.UnreadableItem] = []
    private(set) var unrecognized: [UnrecognizedItem] = []
    /// What was found out about files that the next scan need not read again; a changed file is another ``ScannedItem``.
    private(set) var knownFiles: [ScannedItem: Classification] = [:]

    /// The files that refer to days, by their inodes.
    var files: [FileIdentity: FavoriteReference] {
        let files = references.filter { $0.item.kind == .file }
        return Dictionary(files.map { ($0.item.identity, $0) }) { first, _ in first }
    }

    /// Whether an unrecognized file may still be being copied, so that it must be read again in a few seconds.
    var hasIncompleteFiles: Bool { unrecognized.contains(where: \.mayBeIncomplete) }
    /// Whether there was no time for a file, so that the next scan is to begin at once.
    var isUnfinished: Bool { unreadFiles.contains(where: \.error.isCancelled) }

    /// Classifies all links, then the files for which there is `readingTime`.
    ///
    /// - `recorded`: The favorites before this scan.
    /// - `knownFiles`: The ``knownFiles`` of the scan before.
    /// - `lastFiles`: The ``files`` of the scan before.
    /// - `now`: The time in seconds since 1970.
    init(
        _ scan: Scan, in mirror: Store, recorded: StoredFavorites,
        knownFiles: [ScannedItem: Classification],
        lastFiles: [FileIdentity: FavoriteReference], now: Int, readingTime: ReadingTime
    ) {
        var classifier = Classifier(
            scan, in: mirror, recorded: recorded.favorites, lastFiles: lastFiles,
            readingTime: readingTime)
        for item in scan.items where item.kind != .file {
            add(item, as: classifier.classify(item))
        }
        let recordedDays = recorded.days
        let hasNewLink = references.contains { !recordedDays.contains($0.day) }
        // A new link is to be recorded at once, and the next scan reads the files. Without one, this scan reads at least one
        // file, even if the targets of links took all the time.
        classifier.setReading(isAllowed: !readingTime.isLimited || !hasNewLink)
        for file in scan.items where file.kind == .file {
            addFile(file, as: knownFiles[file] ?? classifier.classify(file), at: now)
        }
        unrecognized.sort { $0.name < $1.name }
    }

    /// Adds a file, and remembers its `classification` unless the file was not read or may still change.
    private mutating func addFile(
        _ file: ScannedItem, as classification: Classification, at now: Int
    ) {
        let mayBeIncomplete = file.hasJustChanged(at: now)
        add(file, as: classification, mayBeIncomplete: mayBeIncomplete)
        if case .unread = classification { return }
        if !mayBeIncomplete { knownFiles[file] = classification }
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
        case .unread(let error):
            unreadFiles.append(.init(path: item.name.bytes, error: error))
            // A file for which there was no time is no news for the user: the next scan reads it.
            guard !error.isCancelled else { break }
            unrecognized.append(
                error.isGrowing
                    ? UnrecognizedItem(item.name, .growing(error), mayBeIncomplete: true)
                    : UnrecognizedItem(item.name, .unreadable(error)))
        }
    }
}
