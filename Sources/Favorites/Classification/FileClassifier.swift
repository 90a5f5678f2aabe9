internal import APOD
internal import FoundationEssentials
internal import Glibc
internal import MediaFormat
internal import Mirror
internal import Platform

/// Classifies the files in `favorites/`: by their inode, their contents, or the day that they name.
struct FileClassifier {
    /// Whether another file may be begun; a file that was begun is read as far as needed.
    var mayRead = true
    /// The bytes that show the type of a file, and whether it still begins as it is recorded.
    private static let startLength = 4 << 10
    private let mirror: Store
    /// The favorites before the scan.
    private let recorded: [Day: Favorite]
    private let isOverdue: (@Sendable () -> Bool)?
    /// When the scan was over: no item of it changed later, whatever the times of files say.
    private let scanEnd = Date.now
    /// The pictures of the mirror; `nil` until a file is compared with them.
    private var pictures: Result<PictureIndex, SystemError>?
    /// The day to which each name referred in the last scan; of several, the day that was a favorite last.
    private(set) lazy var recordedDays = Dictionary(
        recorded.values.sorted { $0.lastPresent > $1.lastPresent }
            .flatMap { favorite in favorite.names.map { ($0, favorite.day) } }
    ) { first, _ in first }

    init(in mirror: Store, recorded: [Day: Favorite], isOverdue: (@Sendable () -> Bool)?) {
        self.mirror = mirror
        self.recorded = recorded
        self.isOverdue = isOverdue
    }

    mutating func classify(_ item: ScannedItem) -> Classification {
        guard item.size > 0 else { return .unrecognized(.empty) }
        // mutation test: read-limit
        guard mayRead, !Task.isCancelled else {
            return .unread(SystemError("read", path: item.name.text, code: ECANCELED))
        }
        do {
            let classification = try classifyContents(of: item)
            // The time is checked after a file, so that each scan reads at least one.
            mayRead = isOverdue?() != true
            return classification
        } catch {
            return .unread(error)
        }
    }

    /// Tries what the file may be, in this order: the recorded copy or hard link, a text that names a day, a hard link to
    /// a picture of the mirror or a copy of one, a picture whose name begins with a date.
    private mutating func classifyContents(
        of item: ScannedItem
    ) throws(SystemError) -> Classification {
        if let classification = try classifyRecorded(item) { return classification }
        let isSmall = item.size <= PointerText.largestFile
        let start = try readStart(of: item, limit: isSmall ? item.size : Self.startLength)
        // The days in a report are no choice of a person.
        if FavoritesText.isReport(start) {
            return .unrecognized(.copyOfReport)
        }
        if MediaType(magic: start) != nil { return try classifyMedia(item) }
        let days = isSmall ? try namedDays(in: start) : []
        if let day = days.first {
            return days.count == 1
                ? .favorite(day, .shortcut) : .unrecognized(.namesSeveralDays)
        }
        // No file of the mirror is like it, so that it is not compared with them.
        return .unrecognized(.foreignFile)
    }

    private mutating func classifyMedia(
        _ item: ScannedItem
    ) throws(SystemError) -> Classification {
        let namedDay = FileName.day(of: item.name.last)
        // The picture was compared with the mirror when it was recorded. New contents do not change its day.
        if let namedDay, recordedDays[item.name] == namedDay, recorded[namedDay]?.kind == .named {
            return .favorite(namedDay, .named)
        }
        if let classification = try compareWithMirror(item) { return classification }
        return namedDay.map { .favorite($0, .named) } ?? .unrecognized(.foreignPicture)
    }

    /// The days that a small file names: by an address or a path, else by the name of a recorded picture, video or page.
    private func namedDays(in text: [UInt8]) throws(SystemError) -> Set<Day> {
        var days = PointerText.days(in: text)
        guard days.isEmpty else { return days }
        for day in PointerText.daysOfNames(in: text) {
            guard let record = try mirror.record(of: day) else { continue }
            if record.fileNames.contains(where: { PointerText.names($0, in: text) }) {
                days.insert(day)
            }
        }
        return days
    }

    /// Recognizes a recorded copy or hard link, by its name and by the size and the first bytes of a file of that day.
    ///
    /// The rest is not read, because other contents would not change its day either, see ``ScanProof``.
    private mutating func classifyRecorded(
        _ item: ScannedItem
    ) throws(SystemError) -> Classification? {
        guard let day = recordedDays[item.name],
            let record = try mirror.record(of: day),
            let file = record.allFiles.first(where: { $0.bytes == item.size }),
            // After an error, the contents decide.
            let status = try? mirror.tree.root.status(file.path), status.kind == .file
        else { return nil }
        if status.identity == item.identity { return .favorite(day, .hardLink) }
        let start = try readStart(of: item, limit: Self.startLength)
        let recordedStart = try? mirror.tree.root.openToRead(file.path)
            .readStart(limit: start.count, path: file.path)
        return recordedStart == start ? .favorite(day, .copy) : nil
    }

    // MARK: Comparing with the mirror

    /// Classifies a picture of the mirror by its inode or its contents; `nil` for another file.
    private mutating func compareWithMirror(
        _ item: ScannedItem
    ) throws(SystemError) -> Classification? {
        let held = try pictureIndex(since: .distantPast)
        if let found = try compare(item, with: held) { return found }
        // A person may also have put the picture of a new or changed file into the mirror, since the last walk. No other
        // file causes a walk.
        let current = try pictureIndex(since: min(item.lastChange, scanEnd))
        return current === held ? nil : try compare(item, with: current)
    }

    private mutating func compare(
        _ item: ScannedItem, with pictures: PictureIndex
    ) throws(SystemError) -> Classification? {
        if let day = try pictures.day(ofHardLink: item) { return .favorite(day, .hardLink) }
        // NASA repeats pictures: the date in the name decides, else the recorded day, else the newest.
        let namedDay = FileName.day(of: item.name.last)
        let likelyDays = [namedDay, recordedDays[item.name]].compactMap(\.self)
        try pictures.addRecords(of: likelyDays)
        if pictures.hasFile(ofSize: item.size),
            let day = try pictures.day(
                ofSize: item.size, sha256(of: item), likelyDays: likelyDays)
        {
            // If the record of the named day is lost, nothing says which bytes that day had.
            if let namedDay, namedDay != day, try mirror.record(of: namedDay) == nil {
                return .favorite(namedDay, .named)
            }
            return .favorite(day, .copy)
        }
        // The file may be a copy of what could not be read.
        if let error = pictures.unreadable { throw error }
        return nil
    }

    /// The index by a walk that did not begin before `date`; an error is kept for the other files of this scan.
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
