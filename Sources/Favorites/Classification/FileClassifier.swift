internal import APOD
internal import Glibc
internal import MediaFormat
internal import Mirror
internal import Platform

/// Finds the day to which each file in `favorites/` refers, by its inode, its contents, its text or its name.
///
/// Such a file is a hard link to a picture of the mirror, a copy of one, or a small text that names a day. ``Classifier``, which
/// resolves links itself, makes one file classifier for each scan. Nothing is written, and a file that cannot be read is
/// ``Classification/unread(_:)``, because it may be a favorite.
struct FileClassifier {
    /// Whether there is time to open another file; a file that was opened is read as far as needed.
    var mayRead = true
    /// In bytes; so much shows the type of a file, and whether a recorded copy still begins like the picture.
    private static let startLength = 4 << 10
    private let mirror: Store
    /// The favorites before the scan.
    private let recorded: [Day: Favorite]
    /// The files that referred to favorites in earlier scans, so that a renamed one is recognized.
    private let lastFiles: [FileIdentity: FavoriteReference]
    private let readingTime: ReadingTime
    private var comparison: MirrorComparison
    /// The day to which each name in `favorites/` referred in the last scan.
    private(set) lazy var recordedDays = Self.daysByName(of: recorded.values)

    init(
        in mirror: Store, recorded: [Day: Favorite],
        lastFiles: [FileIdentity: FavoriteReference], readingTime: ReadingTime
    ) {
        self.mirror = mirror
        self.recorded = recorded
        self.lastFiles = lastFiles
        self.readingTime = readingTime
        comparison = MirrorComparison(with: mirror)
    }

    private static func daysByName(of favorites: some Sequence<Favorite>) -> [FavoriteName: Day] {
        var days: [FavoriteName: Day] = [:]
        // If several favorites had the name, the one that was present last replaces the others.
        for favorite in favorites.sorted(by: { $0.wasPresent(before: $1) }) {
            for name in favorite.names { days[name] = favorite.day }
        }
        return days
    }

    mutating func classify(_ item: ScannedItem) -> Classification {
        guard item.size > 0 else { return .unrecognized(.empty) }
        // mutation test: read-limit (see Tests/Mutants)
        guard mayRead, !Task.isCancelled else {
            // No read failed: this code says that there was no time for one.
            return .unread(SystemError("read", path: item.name.text, code: ECANCELED))
        }
        do {
            let classification = try classifyContents(of: item)
            // The time is checked after a file, so that each scan reads at least one.
            mayRead = !readingTime.isOver
            return classification
        } catch {
            return .unread(error)
        }
    }

    /// Classifies the file `item` by the first of these questions that is answered with yes.
    ///
    /// 1. Is the file a copy or a hard link that is recorded already?
    /// 2. Did the mirror write it? It is then no favorite.
    /// 3. Is it a picture or a video? See ``classifyMedia(_:)``.
    /// 4. Is it a small text that names one day?
    private mutating func classifyContents(
        of item: ScannedItem
    ) throws(SystemError) -> Classification {
        if let known = try classifyRecorded(item) { return known }
        let isSmall = item.size <= PointerText.maximumLength
        let limit = isSmall ? item.size : Self.startLength
        let start = try item.readStart(in: mirror.tree.root, limit: limit)
        // No person chose the days in the report.
        if FavoritesReport.isReport(start) { return .unrecognized(.copyOfReport) }
        if MediaType(magic: start) != nil { return try classifyMedia(item) }
        // Only a picture or a video can be a copy of a file of the mirror.
        guard isSmall else { return .unrecognized(.foreignFile) }
        return try classifyText(start)
    }

    /// Classifies a small file by its text, which names a day by an address or a path, or else by the name of a file.
    private func classifyText(_ text: [UInt8]) throws(SystemError) -> Classification {
        var days = PointerText.days(in: text)
        if days.isEmpty { days = try NamedFiles.days(in: text, of: mirror) }
        guard let day = days.first else { return .unrecognized(.foreignFile) }
        return days.count == 1 ? .favorite(day, .shortcut) : .unrecognized(.namesSeveralDays)
    }

    // MARK: Recorded files

    /// Recognizes a recorded copy or hard link by its name, and by the size and the first bytes of a file of its recorded day.
    ///
    /// The rest is not read: a person who edits the file keeps the favorite, see ``ScanProof``.
    ///
    /// - Returns: `nil` for any other file.
    private mutating func classifyRecorded(
        _ item: ScannedItem
    ) throws(SystemError) -> Classification? {
        guard let day = recordedDays[item.name],
            let file = try mirror.record(of: day)?.allFiles.first(where: { $0.bytes == item.size })
        else { return nil }
        // If the file of the mirror cannot be examined, the contents of the item decide.
        guard let status = try? mirror.tree.root.status(file.path), status.kind == .file else {
            return nil
        }
        if status.identity == item.identity { return .favorite(day, .hardLink) }
        let start = try item.readStart(in: mirror.tree.root, limit: Self.startLength)
        let recordedStart = try? mirror.tree.root.openToRead(file.path)
            .readStart(limit: start.count, path: file.path)
        return recordedStart == start ? .favorite(day, .copy) : nil
    }

    // MARK: Pictures and videos

    /// Finds the day of a picture or a video: first in the mirror, then by the date in its name, then by an earlier scan.
    private mutating func classifyMedia(_ item: ScannedItem) throws(SystemError) -> Classification {
        let namedDay = item.namedDay
        let recordedDay = recordedDays[item.name]
        // The picture was compared with the mirror when it was recorded. If a person edits it, it keeps its day.
        if let namedDay, recordedDay == namedDay, recorded[namedDay]?.kind == .named {
            return .favorite(namedDay, .named)
        }
        if let found = try comparison.classify(item, recordedDay: recordedDay) { return found }
        if let namedDay { return .favorite(namedDay, .named) }
        // A copy that a person edited keeps its day. If it was also renamed, its name is not recorded, but the file is known.
        if let day = dayInLastScan(of: item) { return .favorite(day, .copy) }
        if let recordedDay { return .favorite(recordedDay, .copy) }
        return .unrecognized(.foreignPicture)
    }

    /// The day to which the same file referred in the last scan, perhaps under another name; `nil` for a new or changed file.
    private func dayInLastScan(of item: ScannedItem) -> Day? {
        // rename(2) changes none of these. Another file that got the inode of a deleted one has another time.
        guard let last = lastFiles[item.identity], last.item.size == item.size,
            last.item.status?.modificationTime == item.status?.modificationTime
        else { return nil }
        return last.day
    }
}

/// How long one scan may read files in `favorites/`: a new link is not to wait until large files are read.
enum ReadingTime: Sendable {
    case unlimited
    /// No other file is opened once `isOver` returns true.
    case limited(isOver: @Sendable () -> Bool)

    var isLimited: Bool { if case .limited = self { true } else { false } }

    var isOver: Bool { if case .limited(let isOver) = self { isOver() } else { false } }
}
