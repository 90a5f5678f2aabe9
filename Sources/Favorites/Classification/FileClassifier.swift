internal import APOD
internal import FoundationEssentials
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
    /// Whether another file may be opened; a file that was opened is read as far as needed.
    private(set) var mayRead = true
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
    }

    private static func daysByName(
        of favorites: some Sequence<Favorite>
    ) -> [FavoriteName: Day] {
        var days: [FavoriteName: Day] = [:]
        // If several favorites had the name, the one that was present last replaces the others.
        for favorite in favorites.sorted(by: { $0.lastPresent < $1.lastPresent }) {
            for name in favorite.names { days[name] = favorite.day }
        }
        return days
    }

    /// Allows the next file to be read, even if the time is over, or forbids that.
    mutating func setReading(isAllowed: Bool) { mayRead = isAllowed }

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
        let isSmall = item.size <= PointerText.largestFile
        let start = try readStart(of: item, limit: isSmall ? item.size : Self.startLength)
        // No person chose the days in the report.
        if FavoritesText.isReport(start) { return .unrecognized(.copyOfReport) }
        if MediaType(magic: start) != nil { return try classifyMedia(item) }
        let days = isSmall ? try namedDays(in: start) : []
        // Only a picture or a video can be a copy of a file of the mirror.
        guard let day = days.first else { return .unrecognized(.foreignFile) }
        return days.count == 1 ? .favorite(day, .shortcut) : .unrecognized(.namesSeveralDays)
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

    // MARK: Pictures and videos

    /// Finds the day of a picture or a video: first in the mirror, then by the date in its name, then by an earlier scan.
    private mutating func classifyMedia(
        _ item: ScannedItem
    ) throws(SystemError) -> Classification {
        // The picture was compared with the mirror when it was recorded. If a person edits it, it keeps its day.
        if let day = item.namedDay, recordedDays[item.name] == day, recorded[day]?.kind == .named {
            return .favorite(day, .named)
        }
        if let classification = try compareWithMirror(item) { return classification }
        if let day = item.namedDay { return .favorite(day, .named) }
        if let day = dayBeforeEdit(of: item) { return .favorite(day, .copy) }
        return .unrecognized(.foreignPicture)
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

    /// Recognizes a hard link to a picture of the mirror by its inode, and a copy by its contents; `nil` for another file.
    private mutating func compareWithMirror(
        _ item: ScannedItem
    ) throws(SystemError) -> Classification? {
        let index = try pictureIndex(since: .distantPast)
        if let found = try compare(item, with: index) { return found }
        // The index costs a walk through the mirror. The mirror is only walked again if the item was changed after that walk,
        // because then the picture of which it is a copy may be newer, too.
        let changed = min(item.latestPossibleChange, scanEnd)
        guard index.walkStart < changed else { return nil }
        return try compare(item, with: pictureIndex(since: changed))
    }

    private mutating func compare(
        _ item: ScannedItem, with pictures: PictureIndex
    ) throws(SystemError) -> Classification? {
        if let day = try pictures.day(ofHardLink: item) { return .favorite(day, .hardLink) }
        if let day = try day(ofCopy: item, in: pictures) {
            // Without the record of the named day, nothing says whether its picture had the same bytes.
            if let namedDay = item.namedDay, namedDay != day,
                try mirror.record(of: namedDay) == nil
            {
                return .favorite(namedDay, .named)
            }
            return .favorite(day, .copy)
        }
        // The file may be a copy of what could not be read.
        if let error = pictures.readError { throw error }
        return nil
    }

    /// The day whose picture or video has the contents of `item`; `nil` if none has.
    ///
    /// NASA publishes some pictures twice. Then the date in the name decides, or else the recorded day, or else the newer day.
    private mutating func day(
        ofCopy item: ScannedItem, in pictures: PictureIndex
    ) throws(SystemError) -> Day? {
        let likelyDays = [item.namedDay, recordedDays[item.name]].compactMap(\.self)
        try pictures.addRecords(of: likelyDays)
        guard pictures.hasFile(ofSize: item.size) else { return nil }
        return try pictures.day(
            ofSize: item.size, sha256: sha256(of: item), likelyDays: likelyDays)
    }

    /// The index by a walk that began at `date` or later.
    ///
    /// After an error, the same error is thrown for all other files of this scan, because each attempt may take long.
    private mutating func pictureIndex(since date: Date) throws(SystemError) -> PictureIndex {
        switch pictures {
        case .success(let index)? where index.walkStart >= date: return index
        case .failure(let error)?: throw error
        case .success?, nil: break
        }
        do throws(SystemError) {
            let index = try PictureIndex(of: mirror, since: date)
            pictures = .success(index)
            return index
        } catch {
            pictures = .failure(error)
            throw error
        }
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

extension ScannedItem {
    /// The date with which the name begins: `2026-11-20 edited.jpg`; `nil` if it begins with none.
    fileprivate var namedDay: Day? { FileName.day(of: name.last) }
}
