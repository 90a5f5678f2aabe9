internal import APOD
internal import Glibc
internal import Platform

/// The number of seconds from noon to midnight.
let secondsOfAfternoon = 43_200

extension DayRecord {
    /// The modification time of the files that are published with this record, in seconds since 1970.
    ///
    /// Revision 1 has 12:00:00 UTC of its day, revision 2 has 12:00:01, and none is later than 23:59:59. Browsers and
    /// rsync(1) compare times, and so notice that NASA replaced a picture by another one of the same size.
    package var fileTime: Int { entry.day.noon + min(max(revision, 1), secondsOfAfternoon) - 1 }
}

extension Store {
    /// Gives the files of `record` their modification times, for example after a copy of the mirror has lost them.
    ///
    /// A file of another owner is left as it is, because only the owner may set the time.
    package func setMissingTimes(of record: DayRecord) {
        // The times are in the snapshot, too.
        defer { snapshots.recordChange(of: record.entry.day) }
        let paths = [record.picture?.path, record.video?.path, record.page]
        for path in paths.compactMap(\.self) {
            guard let file = try? tree.root.openFile(path, O_RDONLY) else { continue }
            // A file that NASA's last edit did not replace still has the time of an earlier revision.
            guard let modified = try? file.status(path: path).modified,
                !(record.entry.day.noon...record.fileTime).contains(modified)
            else { continue }
            file.setModified(record.fileTime)
        }
    }
}
