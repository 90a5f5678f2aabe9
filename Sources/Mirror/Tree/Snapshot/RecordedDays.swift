package import APOD
package import Platform

/// Which days have the pictures and videos that their records name, and which lack some.
///
/// The *record* of a day is the JSON file in `metadata/` that names its files. ``Store/recordedDays(in:)`` compares all records
/// with a walk over the tree: for each sync, which downloads what is missing, for `--keep`, and for `status`.
package struct RecordedDays {
    /// The days that have at least one picture or video that their record names.
    package fileprivate(set) var withFiles: Set<Day> = []
    /// The days whose record or files cannot be read, and why; ``doubt(about:in:)`` also knows directories that cannot be read.
    package fileprivate(set) var unreadable: [Day: SystemError] = [:]
    /// The recorded bytes of those days of ``withFiles`` whose pictures and videos in the tree have another sum of sizes.
    fileprivate(set) var differingSizes: [Day: Int] = [:]
    /// The days of ``withFiles`` with a picture that a person imported: see ``PictureRecord/isImported``.
    fileprivate(set) var imported: Set<Day> = []
    /// The days of ``withFiles`` that lack another file that their record names, with the path of that file.
    fileprivate(set) var missingFiles: [Day: String] = [:]
    /// The days with a file of another size than their record says, with its path: a person has edited the file.
    package fileprivate(set) var editedFiles: [Day: String] = [:]
    /// The days with a file that their record calls removed by `--keep`: for example, a favorite brought its picture back.
    fileprivate(set) var withReturnedFiles: Set<Day> = []
    /// The days that lack the redirect page that their record names.
    fileprivate(set) var withoutRedirectPage: Set<Day> = []
}

extension RecordedDays {
    /// The bytes of the pictures and videos that the record of a day of ``withFiles`` names.
    ///
    /// Pictures and videos that a person has put beside them do not count.
    func bytes(of files: TreeSnapshot.DayFiles) -> Int {
        differingSizes[files.day] ?? files.mediaBytes
    }

    /// The bytes of all recorded pictures and videos in `snapshot`, with which the records were compared.
    package func bytes(in snapshot: TreeSnapshot) -> Int {
        snapshot.days.lazy.filter { withFiles.contains($0.day) }.map(bytes).saturatingSum()
    }

    /// Why nobody knows whether `day` is complete; `nil` if that is known.
    ///
    /// In reports, such a day is neither complete nor missing.
    package func doubt(about day: Day, in snapshot: TreeSnapshot) -> SystemError? {
        // A link or a file in place of a directory hides nothing.
        if let error = snapshot.readError(of: day), !error.isNotDirectory { return error }
        return unreadable[day]
    }

    fileprivate mutating func add(_ comparison: DayComparison) {
        let (record, files, day) = (comparison.record, comparison.files, comparison.files.day)
        if !comparison.hasPage { withoutRedirectPage.insert(day) }
        guard files.hasMedia else { return }
        if comparison.hasReturnedFile { withReturnedFiles.insert(day) }
        editedFiles[day] = comparison.lost.first { $0.size != nil }?.file.path
        // If all recorded files are lost, the pictures in the folder of the day belong to a person.
        // mutation test: user-picture
        if !comparison.hasRecordedFile { return }
        withFiles.insert(day)
        if record.picture?.isImported == true { imported.insert(day) }
        if record.bytes != files.mediaBytes { differingSizes[day] = record.bytes }
        missingFiles[day] = comparison.lost.first?.file.path
    }

    /// Adds the days of a month that has not changed since `table` was made, without reading their records.
    fileprivate mutating func add(
        _ days: [TreeSnapshot.DayFiles], from table: CheckedMonths.Table
    ) {
        for files in days where files.hasMedia {
            withFiles.insert(files.day)
            differingSizes[files.day] = table.sizes[files.day]
            if table.imported.contains(files.day) { imported.insert(files.day) }
        }
    }
}

/// The files of one day, compared with its record.
private struct DayComparison {
    let files: TreeSnapshot.DayFiles
    let record: DayRecord
    /// Whether the redirect page is in the tree, or none is recorded.
    var hasPage = true
    /// Whether a file is in the tree that the record calls removed by `--keep`.
    let hasReturnedFile: Bool
    /// The files that should be in the tree and are not, with the size of another file at the path; `nil` if there is none.
    let lost: [(file: RecordedFile, size: Int?)]
    /// Whether a file that should be in the tree is there.
    let hasRecordedFile: Bool

    /// - Throws: ``SystemError`` if a file cannot be examined.
    init(
        of files: TreeSnapshot.DayFiles, with record: DayRecord, in root: Directory
    ) throws(SystemError) {
        self.files = files
        self.record = record
        if let page = record.pageFile {
            hasPage = try files.stamp(ofFileAt: page.path, in: root) != nil
        }
        var found: [(file: RecordedFile, size: Int?)] = []
        for file in record.allFiles {
            found.append((file, try files.stamp(ofFileAt: file.path, in: root)?.size))
        }
        hasReturnedFile = found.contains { $0.file.removed != nil && $0.size == $0.file.bytes }
        let expected = record.removed == nil ? found.filter { $0.file.removed == nil } : []
        lost = expected.filter { $0.size != $0.file.bytes }
        hasRecordedFile = lost.count < expected.count
    }

    /// Whether every file that the record names is in the tree.
    var isComplete: Bool { hasPage && (!files.hasMedia || hasRecordedFile && lost.isEmpty) }
}

extension Store {
    /// The days in `snapshot` that have at least one picture or video that their record names.
    package func daysWithFiles(_ snapshot: TreeSnapshot) throws(SystemError) -> Set<Day> {
        try recordedDays(in: snapshot).withFiles
    }

    /// Compares the records with the files in `snapshot`.
    ///
    /// A recorded file is in the tree if a regular file of the recorded size is at the recorded path. A file of another name
    /// belongs to a person. The records of a month that ``CheckedMonths`` knows, and that has not changed, are not read.
    package func recordedDays(in snapshot: TreeSnapshot) throws(SystemError) -> RecordedDays {
        var result = RecordedDays()
        result.withFiles.reserveCapacity(snapshot.days.count)
        let checked = checkedMonths.table(in: tree)
        var remaining = snapshot.days[...]
        while let first = remaining.first?.day {
            let month = Month(of: first)
            let dates = month.days
            let daysOfMonth = remaining.prefix { dates.contains($0.day) }
            remaining = remaining.dropFirst(daysOfMonth.count)
            let daysWithRecord = daysOfMonth.filter { $0.record != nil }
            let digest = snapshot.digests[month]
            if let digest, checked.digests[month] == digest {
                result.add(daysWithRecord, from: checked)
            } else {
                let allAgree = try compare(daysWithRecord, into: &result)
                if let digest { checkedMonths.record(month, allAgree ? digest : nil, of: result) }
            }
        }
        return result
    }

    /// Compares `days` with their records; returns whether all records can be read, and all days are complete.
    ///
    /// - Throws: ``SystemError`` if it concerns every file, as when memory or descriptors are used up.
    private func compare(
        _ days: [TreeSnapshot.DayFiles], into result: inout RecordedDays
    ) throws(SystemError) -> Bool {
        var allAgree = true
        for files in days {
            var comparison: DayComparison?
            do throws(SystemError) {
                if let record = try record(of: files.day) {
                    comparison = try DayComparison(of: files, with: record, in: tree.root)
                }
            } catch  where !error.concernsEveryFile {
                result.unreadable[files.day] = error
            }
            if let comparison {
                result.add(comparison)
            } else if files.hasMedia {
                // All files count as recorded, so that nothing is downloaded in their place; `verify` reports the record.
                result.withFiles.insert(files.day)
            }
            allAgree = allAgree && comparison?.isComplete == true
        }
        return allAgree
    }

    /// Whether all records of the month of `day` agreed with its files when they were compared, and nothing changed since.
    package func recordsAgree(inMonthOf day: Day, of snapshot: TreeSnapshot) -> Bool {
        let month = Month(of: day)
        guard let digest = snapshot.digests[month] else { return false }
        return checkedMonths.table(in: tree).digests[month] == digest
    }

    /// The days in `snapshot` whose picture or video is gone: `--keep` removed it, or it was lost without that.
    ///
    /// The records of `daysWithFiles` are not read. A day that never had a picture or video is in neither set.
    package func daysWithoutRecordedFiles(
        in snapshot: TreeSnapshot, daysWithFiles: Set<Day>
    ) throws(SystemError) -> (removed: Set<Day>, lost: Set<Day>) {
        var (removed, lost) = (Set<Day>(), Set<Day>())
        for day in snapshot.recorded(besides: daysWithFiles) {
            guard let record = try knownRecord(of: day) else { continue }
            if record.removed != nil {
                removed.insert(day)
            } else if !record.files.isEmpty {
                lost.insert(day)
            }
        }
        return (removed, lost)
    }
}
