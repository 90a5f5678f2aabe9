internal import APOD
internal import Glibc
internal import Platform

extension DayRecord {
    /// The modification time of the files that are published with this record, in seconds since 1970.
    ///
    /// It is 12:00:00 UTC of the day for revision 1, 12:00:01 for revision 2, and 23:59:59 at most. So a browser and
    /// rsync(1), which compare times, notice that NASA replaced a picture by another one of the same size.
    package var fileTime: Int { entry.day.noon + min(max(revision, 1), 43_200) - 1 }
}

extension Store {
    /// Sets the modification times of the files of `record` that have other times, unless another user owns the file.
    package func setMissingTimes(of record: DayRecord) {
        // The snapshot has the times.
        defer { snapshots.recordChange(of: record.entry.day) }
        let paths = [record.picture?.path, record.video?.path, record.page]
        for path in paths.compactMap(\.self) {
            guard let file = try? tree.root.openFile(path, O_RDONLY) else { continue }
            // A file that an edit did not replace keeps the time of an earlier revision.
            guard let modified = try? file.status(path: path).modified,
                !(record.entry.day.noon...record.fileTime).contains(modified)
            else { continue }
            file.setModified(record.fileTime)
        }
    }
}
