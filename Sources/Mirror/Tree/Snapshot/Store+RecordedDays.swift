package import APOD
package import Platform

/// Compares the records of all days with the files in a ``TreeSnapshot``: see ``RecordedDays``.
extension Store {
    /// The days in `snapshot` that have at least one picture or video that their record names.
    package func daysWithFiles(_ snapshot: TreeSnapshot) throws(SystemError) -> Set<Day> {
        try recordedDays(in: snapshot).withFiles
    }

    /// Compares the records with the files in `snapshot`.
    ///
    /// The records of a month that ``CheckedMonths`` knows, and that has not changed, are not read.
    package func recordedDays(in snapshot: TreeSnapshot) throws(SystemError) -> RecordedDays {
        var recordedDays = RecordedDays()
        let knownMonths = checkedMonths.months(in: tree)
        for daysOfMonth in snapshot.days.months {
            let month = Month(of: daysOfMonth[daysOfMonth.startIndex].day)
            let daysWithRecord = daysOfMonth.filter { $0.record != nil }
            let digest = snapshot.digests[month]
            if let known = knownMonths[month], known.digest == digest {
                recordedDays.addUnchanged(daysWithRecord, of: known)
                continue
            }
            let results = try daysWithRecord.map(compareWithRecord)
            for result in results { recordedDays.add(result) }
            // Without a digest, something in the month could not be listed.
            guard let digest else { continue }
            if results.allSatisfy(\.agrees) {
                checkedMonths.add(month, recordedDays.facts(of: month, digest: digest))
            } else {
                checkedMonths.remove(month)
            }
        }
        return recordedDays
    }

    /// Compares the files of a day with the record of the day.
    ///
    /// - Throws: ``SystemError`` if it concerns every file, as when memory or descriptors are used up.
    private func compareWithRecord(
        _ files: TreeSnapshot.DayFiles
    ) throws(SystemError) -> DayComparisonResult {
        do throws(SystemError) {
            guard let record = try record(of: files.day) else { return .damagedRecord(files) }
            return .compared(try DayComparison(of: files, with: record, in: tree.root))
        } catch  where !error.concernsEveryFile {
            return .unreadable(files, error)
        }
    }

    /// Whether all records of the month of `day` agreed with its files when they were compared, and nothing changed since.
    package func recordsAgree(inMonthOf day: Day, of snapshot: TreeSnapshot) -> Bool {
        let month = Month(of: day)
        guard let digest = snapshot.digests[month] else { return false }
        return checkedMonths.months(in: tree)[month]?.digest == digest
    }

    /// The days in `snapshot` whose picture or video is gone: `--keep` removed it, or it was lost without that.
    ///
    /// The records of `daysWithFiles` are not read. A day that never had a picture or video is in neither set.
    package func daysWithoutRecordedFiles(
        in snapshot: TreeSnapshot, daysWithFiles: Set<Day>
    ) throws(SystemError) -> (removed: Set<Day>, lost: Set<Day>) {
        var removed: Set<Day> = []
        var lost: Set<Day> = []
        for day in snapshot.recorded.subtracting(daysWithFiles) {
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
