package import APOD
package import Platform

/// The result of comparing the records with the files in the tree: which days have their files, and which lack some.
///
/// Each sync compares at its start, and downloads what is missing.
package struct RecordedDays {
    /// The days that have at least one picture or video that their record names.
    package fileprivate(set) var withFiles: Set<Day> = []
    /// The days whose record or files cannot be read, and why; ``TreeSnapshot/doubt(about:_:)`` has all days that nobody knows.
    package fileprivate(set) var unreadable: [Day: SystemError] = [:]
    /// The recorded bytes of each day of ``withFiles`` whose pictures and videos have another size in sum: see ``bytes(of:)``.
    fileprivate(set) var sizes: [Day: Int] = [:]
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
    func bytes(of files: TreeSnapshot.DayFiles) -> Int { sizes[files.day] ?? files.mediaBytes }

    /// The bytes of all recorded pictures and videos in `snapshot`, with which the records were compared.
    package func bytes(in snapshot: TreeSnapshot) -> Int {
        snapshot.days.lazy.filter { withFiles.contains($0.day) }.map(bytes).saturatingSum()
    }

    /// Compares the files of one day with its record; returns whether every file that the record names is in the tree.
    ///
    /// - Throws: ``SystemError`` if a file cannot be examined; then nothing has changed.
    fileprivate mutating func addDay(
        with files: TreeSnapshot.DayFiles, record: DayRecord, in root: Directory
    ) throws(SystemError) -> Bool {
        var hasPage = true
        if let page = record.pageFile {
            hasPage = try files.stamp(ofFileAt: page.path, in: root) != nil
        }
        var found: [(file: RecordedFile, size: Int?)] = []
        for file in record.allFiles {
            found.append((file, try files.stamp(ofFileAt: file.path, in: root)?.size))
        }
        if !hasPage { withoutRedirectPage.insert(files.day) }
        guard files.hasMedia else { return hasPage }
        if found.contains(where: { $0.file.removed != nil && $0.size == $0.file.bytes }) {
            withReturnedFiles.insert(files.day)
        }
        let expected = record.removed == nil ? found.filter { $0.file.removed == nil } : []
        let lost = expected.filter { $0.size != $0.file.bytes }
        editedFiles[files.day] = lost.first { $0.size != nil }?.file.path
        // If all recorded files are lost, the pictures in the folder of the day belong to a person.
        // mutation test: user-picture
        if lost.count == expected.count { return false }
        withFiles.insert(files.day)
        if record.picture?.isImported == true { imported.insert(files.day) }
        if record.bytes != files.mediaBytes { sizes[files.day] = record.bytes }
        missingFiles[files.day] = lost.first?.file.path
        return lost.isEmpty && hasPage
    }

    /// Adds a day whose record is damaged or cannot be read: then all of its files count as recorded.
    ///
    /// `verify` reports the record, and nothing is downloaded in place of the files.
    fileprivate mutating func addDayOfUnknownRecord(with files: TreeSnapshot.DayFiles) {
        if files.hasMedia { withFiles.insert(files.day) }
    }
}

extension TreeSnapshot {
    /// Why nobody knows whether `day` is complete; `nil` if that is known.
    ///
    /// In reports, such a day is neither complete nor missing. `unreadable` are the ``RecordedDays/unreadable`` records.
    package func doubt(about day: Day, _ unreadable: [Day: SystemError]) -> SystemError? {
        // A link or a file in place of a directory hides nothing.
        if let error = readError(of: day), !error.isNotDirectory { return error }
        return unreadable[day]
    }
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
    package func recordedDays(
        in snapshot: TreeSnapshot
    ) throws(SystemError) -> RecordedDays {
        var result = RecordedDays()
        result.withFiles.reserveCapacity(snapshot.days.count)
        let checked = checkedMonths.table(in: tree)
        var remaining = snapshot.days[...]
        while let first = remaining.first?.day {
            let month = Month(of: first)
            let lastDay = month.days.upperBound
            let daysOfMonth = remaining.prefix { $0.day <= lastDay }
            remaining = remaining.dropFirst(daysOfMonth.count)
            let recordedDays = daysOfMonth.lazy.filter { $0.record != nil }
            let digest = snapshot.digests[month]
            if let digest, checked.digests[month] == digest {
                for files in recordedDays where files.hasMedia {
                    result.withFiles.insert(files.day)
                    result.sizes[files.day] = checked.sizes[files.day]
                    if checked.imported.contains(files.day) { result.imported.insert(files.day) }
                }
                continue
            }
            var allAgree = true
            for files in recordedDays {
                do throws(SystemError) {
                    if let record = try record(of: files.day) {
                        let agrees = try result.addDay(with: files, record: record, in: tree.root)
                        allAgree = allAgree && agrees
                        continue
                    }
                } catch {
                    guard !error.concernsEveryFile else { throw error }
                    result.unreadable[files.day] = error
                }
                result.addDayOfUnknownRecord(with: files)
                allAgree = false
            }
            if let digest {
                checkedMonths.record(month, allAgree ? digest : nil, of: result)
            }
        }
        return result
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
        var (removed, lost): (Set<Day>, Set<Day>) = ([], [])
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
