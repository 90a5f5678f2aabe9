internal import APOD
internal import Platform

/// What the entry of a list says about its day, compared with the tree and the last attempt.
extension SyncRoundState {
    /// Claims the day of an entry that came in a list, if the entry has something new for the tree; returns whether
    /// the day was claimed: it is not handled yet.
    mutating func claimUpdate(_ entry: Entry) -> Bool {
        let day = entry.day
        if self[day].state.retry?.hasFiles == true,
            isModifiedSinceAttempt(entry) || hasNewURL(entry)
        {
            // The retry waits for files of the earlier entry: those of this one are due at once.
            let now = synchronizer.now()
            self[day].state.retry?.next = now
        }
        // What came by a better route is edited by no other.
        let isAsGood = entry.route <= nextState.otherRoutes?[day] ?? .api
        let mayBeEdit =
            isAsGood && isOfCurrentFeed(entry) && (hasFiles(day) || isRemoved(day))
            && mayUpdate(entry)
        let isForMissingDay = !hasFiles(day) && !isExcluded(day) && isWorthRetrying(entry)
        guard mayBeEdit || isForMissingDay, self[day].work == .none else { return false }
        self[day].work = .claimed
        return true
    }

    /// Whether `entry` has what its missing day lacked at the last attempt, or NASA edited it since, or is expected to put
    /// its picture right soon.
    private func isWorthRetrying(_ entry: Entry) -> Bool {
        guard let retry = self[entry.day].state.retry else { return false }
        if retry.permitsTry(atPoll: synchronizer.now()) { return true }
        let cause = retry.cause
        if cause == .unpublished || isModifiedSinceAttempt(entry) { return true }
        if [.lost, .noImage].contains(cause), !entry.media.namesNoPicture { return true }
        // No record was made of an entry that was rejected.
        guard let record = record(of: entry.day) else { return cause == .unusable }
        return DayRecord(entry, after: record).entry != record.entry
    }

    /// Whether `entry` or the tree may have something new for its day, which has files or lost them by retention.
    ///
    /// After a walk any file may be missing. Between two walks a complete day has news only if its record would change, or
    /// if NASA names other addresses of the picture.
    private func mayUpdate(_ entry: Entry) -> Bool {
        guard !hasWalked, self[entry.day].state == .complete, !self[entry.day].isSuspect,
            let record = record(of: entry.day), DayRecord(entry, after: record) == record
        else { return true }
        let addresses = entry.media.pictures
        let namesPicture = !entry.media.namesNoPicture
        guard let picture = record.picture else { return namesPicture }
        return picture.isReduced && namesPicture
            || !addresses.contains { $0.url == picture.origin }
    }

    /// Whether NASA changed the article since the last attempt: also where a file got other contents.
    private func isModifiedSinceAttempt(_ entry: Entry) -> Bool {
        entry.modified.map { $0 != self[entry.day].state.retry?.modified } ?? false
    }

    /// Whether `entry` has another picture or video than at the last attempt.
    private func hasNewURL(_ entry: Entry) -> Bool {
        guard let record = record(of: entry.day) else { return false }
        return DayRecord(entry, after: record).entry.url != record.entry.url
    }

    /// A record that cannot be read counts as missing here: the download of its day reports the error.
    private func record(of day: Day) -> DayRecord? { (try? store.record(of: day)) ?? nil }

    /// Whether `entry` has the format of the feed, which may be about to end: another one edits no day that is here.
    func isOfCurrentFeed(_ entry: Entry) -> Bool { entry.feed == synchronizer.routes.api.kind }

    /// Why the directory of `day` cannot be read; `nil` if it can.
    func obstruction(of day: Day) -> String? { snapshot.readError(of: day).map(Self.text) }

    static func text(_ error: SystemError) -> String {
        guard error.isNotDirectory else { return error.advice }
        return
            "\(error.path) is a link or a file instead of a directory, and nothing is written there; move it away, or put the directory itself in its place"
    }
}
