internal import APOD
internal import FoundationEssentials
internal import Glibc
internal import MediaFormat
internal import Mirror
internal import Platform

/// Classifies files in `favorites/`: by inode, contents, or the day that they name.
extension Classifier {
    /// Tries what a file may be in this order: the copy or hard link that a record names, a text that names a day, a
    /// hard link to a picture of the mirror or a copy of one, a picture whose name begins with a date.
    mutating func classifyFile(_ item: ScannedItem) -> Classification {
        guard item.size > 0 else { return .unrecognized("is empty, or is being copied") }
        // mutation test: read-limit
        guard readsFiles, !Task.isCancelled else {
            return .unread(SystemError("read", path: item.name.text, code: ECANCELED))
        }
        do {
            let classification = try classifyByContents(item)
            // The time is checked after a file, so that each scan reads one that does not fail.
            readsFiles = isOverdue?() != true
            return classification
        } catch {
            return .unread(error)
        }
    }

    private mutating func classifyByContents(
        _ item: ScannedItem
    ) throws(SystemError) -> Classification {
        if let known = try knownFile(item) { return known }
        let isSmall = item.size <= PointerText.largestFile
        let start = try readStart(item, limit: isSmall ? item.size : PictureIndex.startLength)
        // The paths in it are no choice of a person.
        if FavoritesText.isReport(start) {
            return .unrecognized(
                "is a copy of “\(Layout.favoritesReport)”, or an earlier one: delete it")
        }
        let isMedia = MediaType(magic: start) != nil
        var namedDays = isSmall && !isMedia ? PointerText.days(in: start) : []
        if namedDays.isEmpty, isSmall, !isMedia { namedDays = try daysOfRecordedNames(in: start) }
        if let day = namedDays.first {
            return namedDays.count == 1
                ? .favorite(day, .shortcut)
                : .unrecognized("names several days: link one of them")
        }
        // Nothing in the mirror is like it: neither a walk nor a record is read for each foreign file.
        guard isMedia else {
            return .unrecognized(
                "is no picture of the mirror and names no day: link a picture, or write the address of its"
                    + " page into a text file")
        }
        let namedDay = FileName.day(of: item.name.last)
        // It was compared with the mirror when it was recorded. Other contents under the same name do not change its day, as
        // with ``knownFile(_:)``.
        if let namedDay, recordedDays[item.name] == namedDay, recorded[namedDay]?.kind == .named {
            return .favorite(namedDay, .named)
        }
        if let classification = try classifyByMirror(item, beginningWith: start) {
            return classification
        }
        return namedDay.map { .favorite($0, .named) }
            ?? .unrecognized(
                "is a picture that the mirror does not have: link one that it has, or begin its name with the date"
            )
    }

    /// The days of which `text` has the name of a recorded picture, video or page.
    private func daysOfRecordedNames(in text: [UInt8]) throws(SystemError) -> Set<Day> {
        var days: Set<Day> = []
        for day in PointerText.daysOfNames(in: text) {
            guard let record = try mirror.record(of: day) else { continue }
            if record.fileNames.contains(where: { PointerText.names($0, in: text) }) {
                days.insert(day)
            }
        }
        return days
    }

    /// The file as it is recorded: it has a recorded name, and the size and the first bytes of a file of that day.
    ///
    /// Other contents behind them would not change its day either, see ``ScanProof``: it is not read as a whole.
    private mutating func knownFile(_ item: ScannedItem) throws(SystemError) -> Classification? {
        guard let day = recordedDays[item.name],
            let record = try mirror.record(of: day),
            let file = record.allFiles.first(where: { $0.bytes == item.size }),
            // Whatever prevents that, its contents decide.
            let status = try? tree.root.status(file.path), status.kind == .file
        else { return nil }
        if status.identity == item.identity { return .favorite(day, .hardLink) }
        let length = PictureIndex.startLength
        let start = try readStart(item, limit: length)
        let recordedStart = try? tree.root.openToRead(file.path)
            .readStart(limit: start.count, path: file.path)
        return recordedStart == start ? .favorite(day, .copy) : nil
    }

    /// The first bytes of a file, at most `limit`.
    private func readStart(_ item: ScannedItem, limit: Int) throws(SystemError) -> [UInt8] {
        try openFile(item).readStart(limit: min(item.size, limit), path: Self.path(of: item))
    }

    /// Classifies a picture of the mirror by its inode or its contents; `nil` for another file.
    private mutating func classifyByMirror(
        _ item: ScannedItem, beginningWith start: [UInt8]
    ) throws(SystemError) -> Classification? {
        let held = try pictureIndex(since: .distantPast)
        if let found = try classify(item, beginningWith: start, by: held) { return found }
        // A person may have put the picture of a file that is new, or changed since the walk, into the mirror, too. No other
        // file causes a walk.
        let current = try pictureIndex(since: min(item.lastChange, scanEnd))
        return current === held ? nil : try classify(item, beginningWith: start, by: current)
    }

    private mutating func classify(
        _ item: ScannedItem, beginningWith start: [UInt8], by pictures: PictureIndex
    ) throws(SystemError) -> Classification? {
        if let day = try pictures.day(ofHardLink: item) { return .favorite(day, .hardLink) }
        // NASA repeats pictures: the date in the name decides, else the recorded day, else the newest.
        let namedDay = FileName.day(of: item.name.last)
        let likelyDays = [namedDay, recordedDays[item.name]].compactMap(\.self)
        try pictures.addRecords(of: likelyDays)
        if pictures.mayHaveFile(ofSize: item.size, beginningWith: start),
            let day = try pictures.day(
                ofSize: item.size, sha256(of: item), likelyDays: likelyDays)
        {
            // Also of a day whose record is lost, so that nothing says which bytes it had.
            if let namedDay, namedDay != day, try mirror.record(of: namedDay) == nil {
                return .favorite(namedDay, .named)
            }
            return .favorite(day, .copy)
        }
        // It may be a copy of what could not be read.
        if let error = pictures.unreadable { throw error }
        return nil
    }

    private func sha256(of item: ScannedItem) throws(SystemError) -> String {
        let path = Self.path(of: item)
        do throws(SystemError) {
            return try openFile(item).sha256(path: path, limit: item.size)
        } catch  where error.code == EFBIG {
            throw SystemError("read", path: path, code: SystemError.growing)
        }
    }

    /// The index by a walk that did not begin before `date`: if it cannot be made, each file that needs it in this scan
    /// cannot be classified.
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

    /// Opens the file `item`, as it was scanned.
    ///
    /// Fails with `ESTALE` if another file has its name now, with ``SystemError/growing`` if it grew.
    private func openFile(_ item: ScannedItem) throws(SystemError) -> FileDescriptor {
        let path = Self.path(of: item)
        let file = try tree.root.openToRead(item.name.path)
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

    /// The path for errors.
    private static func path(of item: ScannedItem) -> String {
        "\(Layout.favorites)/\(item.name.text)"
    }
}
