package import APOD
package import Platform

/// Which days have the pictures and videos that their records name, and which lack some.
///
/// The *record* of a day is the JSON file in `metadata/` that names its files. ``Store/recordedDays(in:)`` compares all records
/// with a walk over the tree: for each sync, which downloads what is missing, for `--keep`, and for `status`. Pictures and
/// videos that a person has put beside the recorded ones do not count.
package struct RecordedDays {
    /// The days that have at least one picture or video that their record names.
    package private(set) var withFiles: Set<Day> = []
    /// The recorded bytes of those days of ``withFiles`` whose pictures and videos in the tree have another sum of sizes.
    private var differingSizes: [Day: Int] = [:]
    /// The days of ``withFiles`` with a picture that a person imported: see ``PictureRecord/isImported``.
    private(set) var imported: Set<Day> = []
    /// The days of ``withFiles`` that lack another file that their record names, with the path of that file.
    private(set) var missingFiles: [Day: String] = [:]

    /// The days whose record or files cannot be read, and why; ``doubt(about:in:)`` also knows directories that cannot be read.
    private(set) var unreadable: [Day: SystemError] = [:]
    /// The days with a file of another size than their record says, with its path: probably, a person has edited the file.
    package private(set) var editedFiles: [Day: String] = [:]
    /// The days with a file that their record calls removed by `--keep`: for example, a favorite brought its picture back.
    private(set) var withReturnedFiles: Set<Day> = []
    /// The days that lack the redirect page that their record names.
    private(set) var withoutRedirectPage: Set<Day> = []

    /// Why nobody knows whether `day` is complete; `nil` if that is known.
    ///
    /// In reports, such a day is neither complete nor missing.
    package func doubt(about day: Day, in snapshot: TreeSnapshot) -> SystemError? {
        // A link or a file in place of a directory hides nothing.
        if let error = snapshot.readError(of: day), !error.isNotDirectory { return error }
        return unreadable[day]
    }

    /// The bytes of the pictures and videos that the record of a day of ``withFiles`` names.
    func bytes(of files: TreeSnapshot.DayFiles) -> Int {
        differingSizes[files.day] ?? files.mediaBytes
    }

    /// The bytes of all recorded pictures and videos in `snapshot`, with which the records were compared.
    package func bytes(in snapshot: TreeSnapshot) -> Int {
        snapshot.days.lazy.filter { withFiles.contains($0.day) }.map(bytes).saturatingSum()
    }

    // MARK: Adding days

    /// Adds a day with a record.
    mutating func add(_ result: DayComparisonResult) {
        switch result {
        case .compared(let comparison): add(comparison)
        case .damagedRecord(let files): addAsRecorded(files)
        case .unreadable(let files, let error):
            unreadable[files.day] = error
            addAsRecorded(files)
        }
    }

    private mutating func add(_ comparison: DayComparison) {
        let (record, files, day) = (comparison.record, comparison.files, comparison.files.day)
        if !comparison.hasPage { withoutRedirectPage.insert(day) }
        guard files.hasMedia else { return }
        if comparison.hasReturnedFile { withReturnedFiles.insert(day) }
        editedFiles[day] = comparison.editedFile
        // If all recorded files are lost, the pictures in the directory of the day belong to a person.
        // mutation test: user-picture (see Tests/Mutants)
        if !comparison.hasRecordedFile { return }
        withFiles.insert(day)
        if record.picture?.isImported == true { imported.insert(day) }
        if record.bytes != files.mediaBytes { differingSizes[day] = record.bytes }
        missingFiles[day] = comparison.missingFile
    }

    /// Adds a day whose record says nothing about `files`.
    private mutating func addAsRecorded(_ files: TreeSnapshot.DayFiles) {
        // All files count as recorded, so that nothing is downloaded in their place; `verify` reports the record.
        if files.hasMedia { withFiles.insert(files.day) }
    }

    /// Adds the recorded days of a month whose records need not be read, because they agreed with the same files before.
    mutating func addUnchanged(_ days: [TreeSnapshot.DayFiles], of month: CheckedMonths.Facts) {
        for files in days where files.hasMedia {
            withFiles.insert(files.day)
            differingSizes[files.day] = month.differingSizes[files.day]
            if month.imported.contains(files.day) { imported.insert(files.day) }
        }
    }

    /// What need not be read again of a `month` that was added, and has this `digest`, as long as its digest is the same.
    func facts(of month: Month, digest: Int) -> CheckedMonths.Facts {
        var facts = CheckedMonths.Facts(digest: digest)
        for day in month.days {
            facts.differingSizes[day] = differingSizes[day]
            if imported.contains(day) { facts.imported.insert(day) }
        }
        return facts
    }
}
