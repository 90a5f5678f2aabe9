package import APOD
package import FoundationEssentials
internal import JSON
package import Platform

/// Which days have their files, and which retention removed: as the names in the tree show, corrected by a few records.
extension Store {
    /// The days of `snapshot` with a record and the picture or video that it names; `state` is the stored one.
    ///
    /// A sync begins with them as the days whose ``DayState/hasFiles`` is true: complete or partial.
    ///
    /// A record is read only where names may mislead, as a user's file or the poster of a video may be in place of a
    /// missing file: of days that `--keep` does not keep, that are to be retried, or that have only a video. `readsAll`
    /// is for a mirror without a state, which would say that retention removed days: then all records are read.
    package func daysWithFiles(
        _ snapshot: TreeSnapshot, _ state: SyncState, readsAll: Bool = false
    ) throws(SystemError) -> Set<Day> {
        var days = Set<Day>(minimumCapacity: snapshot.days.count)
        // Retention removed no files of this day and of later ones.
        let firstKeptDay = readsAll ? .last : state.keptFrom ?? .first
        for files in snapshot.days where files.record != nil && files.hasMedia {
            let day = files.day
            let mayMislead =
                day < firstKeptDay || !files.hasPicture || state.retries[day] != nil
            // A user's picture is not that of the record.
            // mutation test: user-picture
            if mayMislead, try !hasRecordedFile(files, remembers: !readsAll) { continue }
            days.insert(day)
        }
        return days
    }

    /// The newest day with a picture or a video, as `latest.json` says, for a daemon that has not walked over the tree yet.
    package var shownAsLatest: Day? {
        guard let bytes = try? tree.root.read(Layout.latestRecord, limit: Layout.largestRecord)
        else { return nil }
        return (try? JSON(parsing: bytes))?["date"]?.day
    }

    /// The newest day with a record, as ``SyncState/newest(of:_:)`` decides; `nil` if there is none.
    ///
    /// Months are listed one by one, the newest first, until one has such a day.
    ///
    /// - Throws: ``SystemError`` also if records of that day or later ones cannot be listed.
    package func newestRecordedDay(at now: Date = Date()) throws(SystemError) -> Day? {
        let state = try state()
        let dates = try plausibleDates(state, recorded: [Day](), at: now)
        var month = Month(of: state.newest ?? dates.last ?? .last)
        while true {
            let snapshot = TreeSnapshot(ofMonthOf: month.first, in: tree.root, .records)
            if let error = snapshot.readError(of: month.first) { throw error }
            if let newest = state.newest(of: snapshot.recorded, dates) { return newest }
            let earlier = Month(of: month.first.advanced(by: -1))
            guard earlier < month else { return nil }
            month = earlier
        }
    }

    /// Whether the day of `files`, those in the snapshot, has the picture or video that its record names.
    ///
    /// With `remembers`, the answer stays in ``Store/recordedFiles``, and the record is not read again while the files
    /// are the same. The walk that found `files` may be hours old: an answer that it does not show is not remembered,
    /// as to move a file away and back does not change `files`.
    private func hasRecordedFile(
        _ files: TreeSnapshot.DayFiles, remembers: Bool
    ) throws(SystemError) -> Bool {
        let day = files.day
        if let known = recordedFiles.withLock({ $0[day] }), known.files == files {
            return known.hasRecordedFile
        }
        // A day with a damaged record counts: its files are here, and `verify` finds the record.
        guard let record = try record(of: day) else { return true }
        var hasRecordedFile = false
        if record.removed == nil, let path = record.mediaPath {
            hasRecordedFile = try tree.exists(path)
            let isInWalk = files.media.contains { $0.path == path }
            guard isInWalk == hasRecordedFile else { return hasRecordedFile }
        }
        if remembers {
            recordedFiles.withLock { [hasRecordedFile] in $0[day] = (files, hasRecordedFile) }
        }
        return hasRecordedFile
    }

    /// The days in `snapshot`, without `daysWithFiles`, whose picture or video retention removed.
    package func removedDays(
        in snapshot: TreeSnapshot, daysWithFiles: Set<Day>
    ) throws(SystemError) -> Set<Day> {
        var days: Set<Day> = []
        for day in snapshot.recorded(besides: daysWithFiles)
        where try record(of: day)?.removed != nil {
            days.insert(day)
        }
        return days
    }

    /// The day whose picture `latest.jpg` shows, if there is one, for retention, which does not remove it.
    var daysShownAsLatest: Set<Day> {
        get throws(SystemError) { Set([try tree.latestPictureDay].compactMap(\.self)) }
    }
}

extension Tree {
    /// The day whose picture `latest.jpg` shows; `nil` if the file is missing, unreadable or not the mirror's.
    package var latestPictureDay: Day? {
        get throws(SystemError) {
            let path = Layout.latestPicture
            guard let status = try ifReadable(root.status(path)) else { return nil }
            // A link shows the picture that it leads to, also one that a person made.
            if let target = root.target(of: path) {
                return target.hasPrefix("\(Layout.pictures)/")
                    ? FileName.day(of: Layout.split(target).name) : nil
            }
            // The view gives a converted picture the modification time of the original, which is on its day in UTC.
            guard try owns(path, by: .latest) else { return nil }
            return Day(utcDateOf: Date(timeIntervalSince1970: Double(status.modified)))
        }
    }
}
