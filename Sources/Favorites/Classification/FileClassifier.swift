internal import APOD
internal import FoundationEssentials
internal import Glibc
internal import MediaFormat
internal import Mirror
internal import Platform

/// How long one scan may read files in `favorites/`: a new link is not to wait until large files are read.
enum ReadingTime: Sendable {
    case unlimited
    /// No other file is opened once `isOver` returns true.
    case limited(isOver: @Sendable () -> Bool)

    var isLimited: Bool { if case .limited = self { true } else { false } }

    fileprivate var isOver: Bool {
        if case .limited(let isOver) = self { isOver() } else { false }
    }
}

/// Finds the day of each file in `favorites/`: by its inode, its contents, or the day that its text or its name has.
///
/// ``Classifier`` uses it for files, and resolves links itself.
struct FileClassifier {
    /// Whether another file may be opened; a file that was opened is read as far as needed.
    var mayRead = true
    /// In bytes; so much shows the type of a file, and whether a recorded copy still begins like the picture.
    private static let startLength = 4 << 10
    private let mirror: Store
    /// The favorites before the scan.
    private let recorded: [Day: Favorite]
    /// The files that referred to favorites in the last scan, so that a renamed one is recognized.
    private let lastFiles: [FileIdentity: FavoriteReference]
    private let readingTime: ReadingTime
    /// When the scan was over; what it shows of a file is not newer, even if the time of the file is in the future.
    private let scanEnd = Date.now
    /// The pictures of the mirror, or why they could not be listed; `nil` until a file is compared with them.
    private var pictures: Result<PictureIndex, SystemError>?
    /// The day to which each name in `favorites/` referred in the last scan; of several, the day that was a favorite last.
    private(set) lazy var recordedDays = Dictionary(
        recorded.values.sorted { $0.lastPresent > $1.lastPresent }
            .flatMap { favorite in favorite.names.map { ($0, favorite.day) } }
    ) { first, _ in first }

    init(
        in mirror: Store, recorded: [Day: Favorite],
        lastFiles: [FileIdentity: FavoriteReference], readingTime: ReadingTime
    ) {
        self.mirror = mirror
        self.recorded = recorded
        self.lastFiles = lastFiles
        self.readingTime = readingTime
    }

    mutating func classify(_ item: ScannedItem) -> Classification {
        guard item.size > 0 else { return .unrecognized(.empty) }
        // mutation test: read-limit (see Tests/Mutants)
        guard mayRead, !Task.isCancelled else {
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

    /// Asks in this order whether the file is the recorded copy or hard link, a hard link to a picture of the mirror or a copy
    /// of one, a picture whose name begins with a date, an edited copy, or a text that names a day.
    private mutating func classifyContents(
        of item: ScannedItem
    ) throws(SystemError) -> Classification {
        if let classification = try classifyRecorded(item) { return classification }
        let isSmall = item.size <= PointerText.largestFile
        let start = try readStart(of: item, limit: isSmall ? item.size : Self.startLength)
        // The mirror wrote the report: no person chose the days in it.
        if FavoritesText.isReport(start) {
            return .unrecognized(.copyOfReport)
        }
        if MediaType(magic: start) != nil { return try classifyMedia(item) }
        let days = isSmall ? try namedDays(in: start) : []
        if let day = days.first {
            return days.count == 1
                ? .favorite(day, .shortcut) : .unrecognized(.namesSeveralDays)
        }
        // Only a picture or a video can be a copy of a file of the mirror.
        return .unrecognized(.foreignFile)
    }

    private mutating func classifyMedia(
        _ item: ScannedItem
    ) throws(SystemError) -> Classification {
        let namedDay = FileName.day(of: item.name.last)
        // The picture was compared with the mirror when it was recorded. If a person edits it, it keeps its day.
        if let namedDay, recordedDays[item.name] == namedDay, recorded[namedDay]?.kind == .named {
            return .favorite(namedDay, .named)
        }
        if let classification = try compareWithMirror(item) { return classification }
        if let namedDay { return .favorite(namedDay, .named) }
        return dayBeforeEdit(of: item).map { .favorite($0, .copy) }
            ?? .unrecognized(.foreignPicture)
    }

    /// The day to which a picture referred before a person edited it: that of the same file in the last scan, even if it was
    /// renamed since, or else that of its name.
    private mutating func dayBeforeEdit(of item: ScannedItem) -> Day? {
        // rename(2) changes none of these. Another file that got the inode of a deleted one has another time.
        if let last = lastFiles[item.identity], last.item.size == item.size,
            last.item.modified == item.modified
        {
            return last.day
        }
        return recordedDays[item.name]
    }

    /// The days that the text of a small file names: by an address or a path, or else by the name of a file of the mirror.
    private func namedDays(in text: [UInt8]) throws(SystemError) -> Set<Day> {
        var days = PointerText.days(in: text)
        guard days.isEmpty else { return days }
        for day in PointerText.daysOfNames(in: text) {
            guard let record = try mirror.record(of: day) else { continue }
            if record.fileNames.contains(where: { PointerText.contains(name: $0, in: text) }) {
                days.insert(day)
            }
        }
        return days
    }

    /// Recognizes a recorded copy or hard link by its name, and by the size and the first bytes of a file of its recorded day.
    ///
    /// The rest is not read: a person who edits the file keeps the favorite, see ``ScanProof``.
    ///
    /// - Returns: `nil` for any other file.
    private mutating func classifyRecorded(
        _ item: ScannedItem
    ) throws(SystemError) -> Classification? {
        guard let day = recordedDays[item.name],
            let record = try mirror.record(of: day),
            let file = record.allFiles.first(where: { $0.bytes == item.size }),
            // If the file of the mirror cannot be examined, the contents of the item decide.
            let status = try? mirror.tree.root.status(file.path), status.kind == .file
        else { return nil }
        if status.identity == item.identity { return .favorite(day, .hardLink) }
        let start = try readStart(of: item, limit: Self.startLength)
        let recordedStart = try? mirror.tree.root.openToRead(file.path)
            .readStart(limit: start.count, path: file.path)
        return recordedStart == start ? .favorite(day, .copy) : nil
    }

    // MARK: Comparing with the mirror

    /// Recognizes a hard link to a picture of the mirror by its inode, and a copy by its contents; `nil` for another file.
    private mutating func compareWithMirror(
        _ item: ScannedItem
    ) throws(SystemError) -> Classification? {
        let lastIndex = try pictureIndex(since: .distantPast)
        if let found = try compare(item, with: lastIndex) { return found }
        // If the item is newer than the last walk, so may be the picture of which it is a copy. No other item causes a walk.
        let newIndex = try pictureIndex(since: min(item.latestPossibleChange, scanEnd))
        return newIndex === lastIndex ? nil : try compare(item, with: newIndex)
    }

    private mutating func compare(
        _ item: ScannedItem, with pictures: PictureIndex
    ) throws(SystemError) -> Classification? {
        if let day = try pictures.day(ofHardLink: item) { return .favorite(day, .hardLink) }
        // NASA publishes some pictures twice. Then the date in the name decides, or else the recorded day, or else the newer.
        let namedDay = FileName.day(of: item.name.last)
        let likelyDays = [namedDay, recordedDays[item.name]].compactMap(\.self)
        try pictures.addRecords(of: likelyDays)
        if pictures.hasFile(ofSize: item.size),
            let day = try pictures.day(
                ofSize: item.size, sha256: sha256(of: item), likelyDays: likelyDays)
        {
            // Without the record of the named day, nothing says whether its picture had the same bytes.
            if let namedDay, namedDay != day, try mirror.record(of: namedDay) == nil {
                return .favorite(namedDay, .named)
            }
            return .favorite(day, .copy)
        }
        // The file may be a copy of what could not be read.
        if let error = pictures.readError { throw error }
        return nil
    }

    /// The index by a walk that began at `date` or later; its error is kept for the other files of this scan.
    private mutating func pictureIndex(since date: Date) throws(SystemError) -> PictureIndex {
        if case .success(let index)? = pictures, index.walkStart < date { pictures = nil }
        let index =
            pictures
            ?? Result { [mirror] () throws(SystemError) in
                try PictureIndex(of: mirror, since: date)
            }
        pictures = index
        return try index.get()
    }

    // MARK: Reading

    private func readStart(of item: ScannedItem, limit: Int) throws(SystemError) -> [UInt8] {
        try open(item).readStart(limit: min(item.size, limit), path: Self.path(of: item))
    }

    private func sha256(of item: ScannedItem) throws(SystemError) -> String {
        let path = Self.path(of: item)
        do throws(SystemError) {
            return try open(item).sha256(path: path, limit: item.size)
        } catch  where error.code == EFBIG {
            throw SystemError("read", path: path, code: SystemError.growing)
        }
    }

    /// Opens the file `item`, as it was scanned.
    ///
    /// - Throws: `ESTALE` if another file has its name now, ``SystemError/growing`` if it grew.
    private func open(_ item: ScannedItem) throws(SystemError) -> FileDescriptor {
        let path = Self.path(of: item)
        let file = try mirror.tree.root.openToRead(item.name.path)
        let status = try file.status(path: path)
        guard status.kind == .file, status.identity == item.identity else {
            throw SystemError("open", path: path, code: ESTALE)
        }
        // mutation test: grown-copy
        guard status.size <= item.size else {
            throw SystemError("read", path: path, code: SystemError.growing)
        }
        return file
    }

    private static func path(of item: ScannedItem) -> String {
        "\(Layout.favorites)/\(item.name.text)"
    }
}
