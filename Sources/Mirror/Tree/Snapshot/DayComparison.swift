internal import Platform

/// The files of one day in a ``TreeSnapshot``, compared with the record of the day.
///
/// A recorded file is in the tree if a regular file of the recorded size is at the recorded path. A file of another name
/// belongs to a person. ``RecordedDays`` collects the results of all days.
struct DayComparison {
    let files: TreeSnapshot.DayFiles
    let record: DayRecord
    /// Whether the redirect page is in the tree, or none is recorded.
    private(set) var hasPage = true
    /// Whether a file is in the tree that the record calls removed by `--keep`.
    private(set) var hasReturnedFile = false
    /// Whether a picture or video that should be in the tree is there.
    private(set) var hasRecordedFile = false
    /// The path of the first picture or video that should be in the tree and is not; `nil` if none is missing.
    private(set) var missingFile: String?
    /// The path of the first missing file in whose place a file of another size is; `nil` if there is none.
    private(set) var editedFile: String?

    init(
        of files: TreeSnapshot.DayFiles, with record: DayRecord, in root: Directory
    ) throws(SystemError) {
        self.files = files
        self.record = record
        if let page = record.pageFile {
            hasPage = try files.stamp(ofFileAt: page.path, in: root) != nil
        }
        for file in record.allFiles {
            add(file, foundSize: try files.stamp(ofFileAt: file.path, in: root)?.size)
        }
    }

    /// Adds a file that the record names, and the size of the file that is at its path; `nil` if there is none.
    private mutating func add(_ file: RecordedFile, foundSize: Int?) {
        let isThere = foundSize == file.bytes
        guard file.removed == nil else {
            if isThere { hasReturnedFile = true }
            return
        }
        // If `--keep` removed the picture of a day, the poster or video beside it is not expected either.
        guard record.removed == nil else { return }
        if isThere {
            hasRecordedFile = true
        } else {
            missingFile = missingFile ?? file.path
            if foundSize != nil { editedFile = editedFile ?? file.path }
        }
    }

    /// Whether the record needs no second look as long as these files stay the same.
    ///
    /// This is also true of a day that has no picture or video at all, because ``RecordedDays`` then needs no record of it.
    var agrees: Bool {
        let hasAllFiles = hasRecordedFile && missingFile == nil
        return hasPage && (hasAllFiles || !files.hasMedia)
    }
}

/// What the comparison of a day with its record has led to.
enum DayComparisonResult {
    case compared(DayComparison)
    case damagedRecord(TreeSnapshot.DayFiles)
    /// The record or the files cannot be read.
    case unreadable(TreeSnapshot.DayFiles, SystemError)

    /// Whether the record could be read, and ``DayComparison/agrees``.
    var agrees: Bool {
        if case .compared(let comparison) = self { comparison.agrees } else { false }
    }
}
