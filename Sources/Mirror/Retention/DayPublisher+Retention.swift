internal import APOD
internal import FoundationEssentials
internal import Platform

/// How the setting `--keep`, which limits how many days the mirror keeps, removes the picture and video of an old day.
///
/// A removal is the publication of a record in which the files are marked with the time of their removal. When such a record
/// is published, ``DayPublisher`` deletes the files. They came from NASA or from a classic mirror, another site with copies of
/// APOD: if the day is to be kept again, they are downloaded.
extension DayPublisher {
    /// Prepares the removal of the day at `time`; deletes nothing.
    ///
    /// The contents of the files and the rights to their directories are checked here, because a removal should not fail after it
    /// has deleted the first file.
    ///
    /// - Throws: ``SystemError`` if something cannot be read, or if an earlier version of a file could not be deleted.
    func makeRemoval(at time: Date) throws(SystemError) -> DayRemoval {
        // An interrupted edit is finished first.
        try resume()
        guard let earlier = try store.record(of: day) else { return .refused }
        let replacedFiles = try store.replacedFiles(of: day)
        for path in try replacedFiles + store.damagedFiles(of: earlier) {
            try root.checkWritable(Layout.split(path).folder)
        }
        let removal = try store.removal(of: earlier, at: time)
        guard case .possible(let record, _, let bytes) = removal else { return removal }
        let replacedBytes = try store.totalSize(of: replacedFiles)
        return .possible(
            record: record, earlier: earlier, bytes: bytes.addingSaturating(replacedBytes))
    }

    /// Discards the publication of `removal`, which has failed, unless a picture or video is gone already.
    ///
    /// Otherwise, the next start would finish it, even if the day is to be kept by then.
    ///
    /// - Returns: Whether all files are in their places, and nothing is left to be finished.
    func takeBack(_ removal: DayRecord) -> Bool {
        for file in removal.allFiles where file.removed != nil {
            guard let status = try? root.status(file.path), status.kind == .file
            else { return false }
        }
        discard()
        do throws(SystemError) {
            return try staging.status(stagedRecord) == nil
        } catch {
            return false
        }
    }

    /// Publishes the record without the marks of removed files that are at their paths again.
    ///
    /// For example, a favorite that was made from a removed day has brought its picture back.
    ///
    /// - Returns: Whether there was such a file.
    func publishReturnOfFiles() throws(SystemError) -> Bool {
        try resume()
        guard let earlier = try store.record(of: day) else { return false }
        var record = earlier
        for kind in DayRecord.FileKind.allCases {
            guard let file = earlier.recordedFile(kind), file.removed != nil,
                try root.hasContents(of: file, at: file.path)
            else { continue }
            record.setRemoved(kind, nil)
        }
        guard record != earlier else { return false }
        if record.removed == nil { record.forgetRemovedVideo() }
        record.setPage(try store.publishRedirectPage(of: record, after: earlier))
        try publish(record, after: earlier)
        return true
    }

    /// Deletes the files that `record` marks as removed, their earlier versions and paths, and what views made from them.
    ///
    /// A file that a person has edited, or has put in the place of one of them, stays. A call may be repeated.
    func deleteFilesMarkedAsRemoved(in record: DayRecord) throws(SystemError) {
        // Of the files of the day, the picture comes last: if an earlier step fails, the day still has it, and the next attempt
        // goes on. What is at its earlier paths comes first, because only the files in `previous/` show whose it is.
        if let (stem, ending) = record.picture?.path.splitAtLastDot {
            for other in Layout.pinEndings where other != ending {
                try store.remove("\(stem)\(other)", provedBy: .earlierName(of: day))
            }
        }
        for path in try store.replacedFiles(of: day) + store.damagedFiles(of: record) {
            try store.remove(path, provedBy: .hashInName)
        }
        try store.removeRedirectPage(of: record)
        for file in record.allFiles.reversed() where file.removed != nil {
            try store.remove(file.path, provedBy: .record(file))
        }
        store.deleteViewFile(Layout.thumbnail(of: day), of: .thumbnails)
        store.deleteViewFile(Rendition.path(of: day), of: .renditions)
    }
}
