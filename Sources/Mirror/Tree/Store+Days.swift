package import APOD
package import FoundationEssentials
package import Platform

/// Which days have their files, and which retention removed: what the tree shows, corrected by the few records that
/// tell more.
extension Store {
    /// The days of `snapshot` with a record and the picture or video that it names; `state` is the stored one.
    ///
    /// A sync begins with them as the days whose ``DayState/hasFiles`` is true: complete or partial.
    /// In place of a missing file may be one of a user, or only the poster of a video. Few records are read: of days
    /// that `--keep` does not keep or that are to be retried, and of days with a video alone; of all days if
    /// `readsAll`, for a mirror without a state, which would say that retention removed days.
    package func daysWithFiles(
        _ snapshot: TreeSnapshot, _ state: SyncState, readsAll: Bool = false
    ) throws(SystemError) -> Set<Day> {
        var days = snapshot.recordedWithMedia
        let keptFrom = readsAll ? .last : state.keptFrom ?? .first
        let pictured = snapshot.pictured
        for day in days
        where day < keptFrom || !pictured.contains(day) || state.retries[day] != nil {
            // mutation test: user-picture
            if try !hasRecordedFile(day, snapshot[day], remembers: !readsAll) { days.remove(day) }
        }
        return days
    }

    /// The newest of the days with files, which ``SyncState/newest(of:_:)`` decides, for a daemon that starts: found by
    /// listing one month after the other, newest first, as a walk over all of them may take minutes on a slow disk.
    package func newestDayWithFiles(
        at now: Date = Date(), built: Date = PlausibleDates.builtDate
    ) throws(SystemError) -> Day? {
        let state = try state()
        let dates = try plausibleDates(state, recorded: [Day](), at: now, built: built)
        var month = Month(of: state.newest ?? dates.last ?? .last)
        while true {
            let snapshot = TreeSnapshot(ofMonthOf: month.first, in: tree.root)
            let days = try daysWithFiles(snapshot, state, readsAll: state.newest == nil)
            if let newest = state.newest(of: days, dates) { return newest }
            let earlier = Month(of: month.first.advanced(by: -1))
            guard earlier < month else { return nil }
            month = earlier
        }
    }

    /// Whether `day` has the picture or video that its record names; the record is read once for the same `files`.
    ///
    /// The walk that found `files` may be hours old. An answer that it does not show is not remembered: who moves a file
    /// away and back does not change it.
    private func hasRecordedFile(
        _ day: Day, _ files: TreeSnapshot.DayFiles?, remembers: Bool
    ) throws(SystemError) -> Bool {
        if let known = recordedFiles.withLock({ $0[day] }), known.files == files {
            return known.areHere
        }
        // The day of a damaged record counts: its files are here, and `verify` finds the record.
        guard let record = try record(of: day) else { return true }
        var areHere = false
        if record.removed == nil, let path = record.mediaPath {
            areHere = try tree.exists(path)
            let isInWalk = files?.media.contains { $0.path == path } ?? false
            guard isInWalk == areHere else { return areHere }
        }
        if remembers, let files {
            recordedFiles.withLock { [areHere] in $0[day] = (files, areHere) }
        }
        return areHere
    }

    /// The days in `snapshot`, without `daysWithFiles`, whose picture or video retention removed.
    package func removedDays(
        in snapshot: TreeSnapshot, daysWithFiles: Set<Day>
    ) throws(SystemError) -> Set<Day> {
        var days: Set<Day> = []
        for day in snapshot.recorded.subtracting(daysWithFiles)
        where try record(of: day)?.removed != nil {
            days.insert(day)
        }
        return days
    }

    /// The day whose picture `latest.jpg` shows, if there is one: retention does not remove it.
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
            // Whoever made a link: it leads to a picture.
            if let target = root.target(of: path) {
                return target.hasPrefix("\(Layout.pictures)/")
                    ? FileName.day(of: Layout.split(target).name) : nil
            }
            // The view gives a converted picture the modification time of its picture, which is in UTC on its day.
            guard try Ownership(of: self).owner(of: path) == .view(.latest) else { return nil }
            return Day(utcDateOf: Date(timeIntervalSince1970: Double(status.modified)))
        }
    }
}
