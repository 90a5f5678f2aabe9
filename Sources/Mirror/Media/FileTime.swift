internal import APOD
internal import Glibc
internal import Platform

extension DayRecord {
    /// The modification time of a file that is published with this record, in seconds since 1970: 12:00 UTC of its day,
    /// a second later for each revision, at most 23:59:59.
    ///
    /// NASA replaces pictures under their addresses. A browser and rsync(1) compare the time: by it they find another
    /// picture of the same path and size.
    package var fileTime: Int { entry.day.noon + min(max(revision, 1), 43_200) - 1 }
}

extension Store {
    /// Sets the modification times of the files of `record` where they are missing; those of another user's files stay.
    package func setMissingTimes(of record: DayRecord) {
        // The times are in the snapshot.
        defer { snapshots.recordChange(of: record.entry.day) }
        let paths = [record.picture?.path, record.video?.path, record.page]
        for path in paths.compactMap(\.self) {
            guard let file = try? tree.root.openFile(path, O_RDONLY) else { continue }
            // One that an edit did not replace has the time of an earlier revision.
            guard let modified = try? file.status(path: path).modified,
                !(record.entry.day.noon...record.fileTime).contains(modified)
            else { continue }
            file.setModified(record.fileTime)
        }
    }
}
