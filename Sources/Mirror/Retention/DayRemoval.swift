internal import APOD
internal import FoundationEssentials
internal import Platform

/// The decision whether the setting `--keep` can remove the picture and video of a day; it changes nothing.
enum DayRemoval {
    /// The publication of `record` deletes the files; they and their earlier versions have so many bytes.
    case possible(record: DayRecord, earlier: DayRecord, bytes: Int)
    /// The day stays as it is, because the file at this path has other contents than its record says.
    case changedFile(String)
    /// The day stays as it is: it has no recorded file, or a person has imported its picture.
    case refused
}

extension Store {
    /// Decides whether the day of the record `earlier` can be removed at `time`; deletes nothing.
    ///
    /// The bytes are those of its files, without earlier versions. With `trustsTimes`, a file that has the size and the time
    /// with which it was published is not read.
    func removal(
        of earlier: DayRecord, at time: Date, trustsTimes: Bool = false
    ) throws(SystemError) -> DayRemoval {
        guard earlier.removed == nil, earlier.picture?.isImported != true else { return .refused }
        let publicationTimes = earlier.entry.day.noon...earlier.fileTime
        var record = earlier
        for kind in DayRecord.FileKind.allCases {
            guard let file = earlier.file(kind),
                let status = try tree.root.status(file.path), status.kind == .file
            else { continue }
            let isTrusted =
                trustsTimes && status.size == file.bytes
                && publicationTimes.contains(status.modified)
            // A file with other contents belongs to a person, even if it has the recorded size.
            // The ternary operator keeps the type of the error, unlike `||`.
            // mutation test: removed-hash (see Tests/Mutants)
            guard try isTrusted ? true : tree.root.hasContents(of: file, at: file.path) else {
                return .changedFile(file.path)
            }
            record.setRemoved(kind, time)
        }
        guard record.removed != nil else { return .refused }
        return .possible(record: record, earlier: earlier, bytes: earlier.bytes)
    }
}
