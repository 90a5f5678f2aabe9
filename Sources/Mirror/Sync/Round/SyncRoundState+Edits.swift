internal import APOD

/// Decides whether an entry in one of NASA's lists has something new for the mirror, so that its day is updated.
///
/// A list has the entries of several days, and most of them are already in the mirror as they are. Only the other ones are
/// worth a download, which takes a slot, and reads the files of the day.
extension SyncRoundState {
    /// Claims the day of an entry that came in a list, if the entry may have something new for the tree.
    ///
    /// That is so in two cases: the tree has the day, and NASA may have edited it (``mayBeEdit(_:)``); or the day is missing,
    /// and NASA may have added what it lacks (``mayEndAbsence(_:)``). If the day is partial, and NASA has changed its entry,
    /// its retry becomes due at once.
    ///
    /// - Returns: Whether the day is claimed; `false` if this sync has handled it already, or if nothing is new.
    mutating func claimUpdate(_ entry: Entry) -> Bool {
        let day = entry.day
        if self[day].state.retry?.hasFiles == true,
            isModifiedSinceAttempt(entry) || hasNewURL(entry)
        {
            // The retry waits for the files of the earlier entry. The files of the new entry are due at once.
            let now = synchronizer.now()
            self[day].state.retry?.next = now
        }
        guard self[day].work == .none, mayBeEdit(entry) || mayEndAbsence(entry)
        else { return false }
        self[day].work = .claimed
        return true
    }

    /// Whether `entry` has the format of the configured feed; an entry of another format must not edit a day.
    func isOfCurrentFeed(_ entry: Entry) -> Bool { entry.feed == synchronizer.routes.api.kind }

    // MARK: Days in the tree

    /// Whether the day of `entry` is in the tree, or was removed by `--keep`, and NASA may have edited it.
    private func mayBeEdit(_ entry: Entry) -> Bool {
        guard hasFiles(entry.day) || isRemoved(entry.day) else { return false }
        // An entry by a worse route than before must not edit the day.
        let earlierRoute = nextState.otherRoutes?[entry.day] ?? .api
        return entry.route <= earlierRoute && isOfCurrentFeed(entry) && mayChangeTree(entry)
    }

    /// Whether the download of `entry` may change the tree.
    ///
    /// After a walk, any file may be missing. In a sync without a walk, a complete day changes only if its record would
    /// change, or if NASA names another address for the picture.
    private func mayChangeTree(_ entry: Entry) -> Bool {
        let row = self[entry.day]
        guard !hasWalked, row.state == .complete, !row.isDamaged,
            let record = record(of: entry.day), DayRecord(entry, after: record) == record
        else { return true }
        let namesPicture = !entry.media.namesNoPicture
        guard let picture = record.picture else { return namesPicture }
        let isKnownAddress = entry.media.pictures.contains { $0.url == picture.origin }
        let mayHaveBetter = picture.isReduced && namesPicture
        return !isKnownAddress || mayHaveBetter
    }

    // MARK: Missing days

    /// Whether the day of `entry` is missing, and `entry` may have what the day lacked at the last attempt.
    ///
    /// NASA has edited the entry since, or is expected to add a missing picture soon.
    private func mayEndAbsence(_ entry: Entry) -> Bool {
        let day = entry.day
        guard !hasFiles(day), !isExcluded(day), let retry = self[day].state.retry
        else { return false }
        if retry.permitsTry(atPoll: synchronizer.now()) { return true }
        if retry.cause == .unpublished || isModifiedSinceAttempt(entry) { return true }
        let lackedPicture = retry.cause == .lost || retry.cause == .noImage
        if lackedPicture, !entry.media.namesNoPicture { return true }
        // Without a record, which a rejected entry does not make, there is nothing to compare with.
        guard let record = record(of: day) else { return retry.cause == .unusable }
        return DayRecord(entry, after: record).entry != record.entry
    }

    // MARK: Comparing

    /// Whether NASA has changed the article since the last attempt, and so perhaps the contents of a file.
    private func isModifiedSinceAttempt(_ entry: Entry) -> Bool {
        guard let modified = entry.modified else { return false }
        return modified != self[entry.day].state.retry?.modified
    }

    /// Whether `entry` names another picture or video than the record does.
    private func hasNewURL(_ entry: Entry) -> Bool {
        guard let record = record(of: entry.day) else { return false }
        return DayRecord(entry, after: record).entry.url != record.entry.url
    }

    /// The record of `day`; `nil` if there is none, or if it cannot be read, which the download of the day reports.
    private func record(of day: Day) -> DayRecord? { try? store.record(of: day) }
}
