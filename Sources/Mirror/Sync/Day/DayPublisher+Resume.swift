internal import APOD
internal import Platform

/// How ``DayPublisher`` finishes a publication that a kill or a power cut interrupted, or rolls it back.
extension DayPublisher {
    /// Finishes an interrupted publication, or rolls it back; does nothing if there is none.
    func resume() throws(SystemError) {
        guard let bytes = try staging.read(stagedRecord, limit: Layout.largestRecord) else {
            return discard()
        }
        defer { store.snapshots.recordChange(of: day) }
        let earlier = try store.record(of: day)
        // If the staged record is cut off, no file has been replaced yet. If it is older, its publication was finished.
        guard let record = DayRecord(bytes, of: day), record.revision >= earlier?.revision ?? 0
        else { return discard() }
        // mutation test: take-back (see Tests/Mutants)
        try restageHiddenFiles(of: record)
        if try verifyAndFlushFiles(of: record, after: earlier) {
            try publishStagedFiles(of: record, after: earlier)
        } else {
            try rollBack(record, to: earlier)
        }
        // After a power cut, a file may have both names, and rename(2) from one to the other does nothing.
        discard()
        try staging.flush()
    }

    /// Whether files of the day may have been deleted, although its record does not say so yet.
    var isUnfinishedRemoval: Bool {
        get throws(SystemError) {
            guard let bytes = try staging.read(stagedRecord, limit: Layout.largestRecord),
                DayRecord(bytes, of: day)?.removed != nil
            else { return false }
            return try store.record(of: day)?.removed == nil
        }
    }

    /// Stages the files again that a killed process left under a hidden name in their final directory.
    private func restageHiddenFiles(of record: DayRecord) throws(SystemError) {
        for kind in DayRecord.FileKind.allCases {
            guard let file = record.file(kind) else { continue }
            let waiting = Directory.waitingPath(for: file.path)
            try ifPresent(root.rename(waiting, to: staging, as: staged(kind)))
        }
    }

    /// Reads and flushes each new file that `record` names, because the killed process may not have flushed it.
    ///
    /// - Returns: Whether each of them is whole, and is staged or has its final name, so that the publication can go on.
    private func verifyAndFlushFiles(
        of record: DayRecord, after earlier: DayRecord?
    ) throws(SystemError) -> Bool {
        for kind in DayRecord.FileKind.allCases {
            guard let file = record.file(kind) else { continue }
            let isStaged = try staging.status(staged(kind)) != nil
            if !isStaged, file == earlier?.file(kind) { continue }
            let (folder, path) = try isStaged ? (staging, staged(kind)) : (root, file.path)
            // mutation test: staged-hash
            guard try folder.hasContents(of: file, at: path) else { return false }
            // mutation test: found-file-sync
            guard try didFlush(path, isStaged: isStaged) else { return false }
        }
        // The staged record was flushed before it got its name. A removal that has begun cannot be rolled back.
        return true
    }

    /// Flushes a file; returns `false` if the disk has lost bytes of it.
    ///
    /// Such a file must not be used, although a second flush would succeed: see fsync(2).
    private func didFlush(_ path: String, isStaged: Bool) throws(SystemError) -> Bool {
        do throws(SystemError) {
            if isStaged { try staging.flush(path) } else { try flushInPlace(path) }
            return true
        } catch  where error.isFailedFlush {
            return false
        }
    }

    /// Gives the tree the files of the record `earlier` again, after `record` was published incompletely.
    ///
    /// Replaced files are restored from `previous/`. A file of `record` at another path is moved to `previous/`, or to
    /// `aside/` if it may be a person's. A picture or video that `earlier` did not have stays, and the next sync may use it.
    private func rollBack(_ record: DayRecord, to earlier: DayRecord?) throws(SystemError) {
        for kind in DayRecord.FileKind.allCases {
            guard let old = earlier?.file(kind) else { continue }
            if try !root.hasContents(of: old, at: old.path) {
                try store.restorePrevious(old, inPlaceOf: record.file(kind), of: day)
            }
            guard let file = record.file(kind), file.path != old.path else { continue }
            if try root.hasContents(of: file, at: file.path) {
                _ = try store.archive(file.path, of: day)
                try store.remove(file.path, provedBy: .record(file))
            } else if try root.status(file.path)?.kind == .file {
                try store.moveForeignItem(at: file.path)
            }
        }
        if let earlier { store.setMissingTimes(of: earlier) }
    }
}
