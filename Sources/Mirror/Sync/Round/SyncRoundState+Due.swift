internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// The days that a sync requests: those that are due, those that the tree, the settings or an entry of NASA make due
/// before the time of their retry, and those that it puts off.
extension SyncRoundState {
    // MARK: The days to download

    /// The days to mirror; `nil` if NASA was never reached, or only single days are to be mirrored.
    var range: ClosedRange<Day>? { options.since == nil ? nil : nextState.range }

    func plan(retry: SyncPlan.Retry) -> SyncPlan {
        SyncPlan(
            range: range, favorites: days(where: \.isRequestedFirst),
            adopted: days(where: \.isAdopted), now: synchronizer.now(), retry: retry
        ) {
            // A download under way is not requested again, however long it takes.
            self[$0].work == .underWay ? .complete : self[$0].state
        }
    }

    /// Claims the due days that are not handled yet, favorites first.
    mutating func claimDueDays() -> [Day] {
        let new = plan(retry: retryPolicy).days.filter { self[$0].work == .none }
        for day in new {
            self[day].work = .claimed
            self[day].isPlanned = true
        }
        return new
    }

    /// Claims the days that came by another route and are not in NASA's list of the newest entries, once the API works.
    mutating func claimDaysOfOtherRoutes() -> [Day] {
        // An API of the old format has no other routes, and answers for none of their days.
        guard sawNewest, nextState.apiFailure == nil, synchronizer.routes.api.kind == .basic
        else { return [] }
        let days = (nextState.otherRoutes ?? [:]).keys.filter {
            hasFiles($0) && !self[$0].isPolled && self[$0].work == .none
        }
        for day in days { self[day].work = .claimed }
        return days.sorted(by: >)
    }

    // MARK: At the start

    /// Makes days due because the tree or the settings have changed.
    ///
    /// `partialDays` have one of their files, and lack the one with this path.
    ///
    /// - Throws: ``SystemError`` if descriptors or memory are used up.
    mutating func makeDaysDue(
        lackingFiles partialDays: [Day: String], at now: Date
    ) throws(SystemError) {
        let room = try store.availableBytes()
        for (day, known) in days {
            guard let retry = known.state.retry else { continue }
            let wasPartial = stateOnDisk.retries[day]?.hasFiles == true
            // A partial day and a day with these causes had a record, which a person deleted.
            let hadRecord = wasPartial || [.lost, .noImage, .noStill].contains(retry.cause)
            let lostRecord = hadRecord && !known.isRecorded
            let lostFiles = wasPartial && !retry.hasFiles
            let fitsNow = retry.cause == .doesNotFit && retry.neededBytes ?? .max <= room
            if lostRecord || lostFiles || fitsNow {
                self[day].state.retry?.next = now
            }
            if partialDays[day] == nil { self[day].state.retry?.lostFile = nil }
        }
        for (day, known) in days where known.isSuspect || partialDays[day] != nil {
            let state = known.state
            let lostFile = partialDays[day]
            // Each walk finds the same file missing, and its delays go on to grow. Another file is due at once.
            let isNew = state.retry.map { hasWalked && $0.lostFile != lostFile } ?? true
            if isNew, state.hasFiles {
                let reason = "one of its files is \(known.isSuspect ? "damaged" : "missing")"
                var retry = RetryState(dueAt: now, .localError, reason, after: state.retry)
                retry.lostFile = lostFile
                self[day].state = state.with(retry)
            } else if isNew || known.isSuspect && retryPolicy != .due {
                self[day].state.retry?.next = now
            }
        }
        if options.downloadsVideos, !stateOnDisk.downloadsVideos {
            try makeVideosDue(at: now)
        }
    }

    /// Says in the reason of each day in ``edited`` what becomes of the edit.
    mutating func explainEdits(at now: Date) {
        for day in edited.keys {
            let state = self[day].state
            let retry = state.retry ?? RetryState(dueAt: now, .localError, "", after: nil)
            self[day].state = state.with(Self.explainingEdit(retry))
        }
    }

    /// The same retry with ``fateOfEdits`` at the start of its reason.
    static func explainingEdit(_ retry: RetryState) -> RetryState {
        var retry = retry
        let sentence = "its file was changed: \(fateOfEdits)"
        if !retry.reason.hasPrefix(sentence) {
            retry.reason = sentence + (retry.reason.isEmpty ? "" : "; \(retry.reason)")
        }
        return retry
    }

    static let fateOfEdits =
        "the original comes back, and what is there now moves to \(Layout.damaged)/"

    /// Puts off for a day the downloads during which the last two processes ended: one file must not end each process.
    ///
    /// Neither a request nor an edit by NASA hastens them.
    mutating func putOffUnfinishedDays(at now: Date) {
        for day in store.tree.unfinishedDownloads.withLock(\.again) {
            let state = self[day].state
            self[day].state = state.with(
                RetryState(
                    .unfinished,
                    "the program ended twice in the middle of this download, by a crash, a kill or a power cut; it waits"
                        + " for a day, and the others go on", after: state.retry, at: now))
        }
        for (day, known) in days {
            guard known.work == .none, let retry = known.state.retry,
                retry.cause == .unfinished, retry.next > now
            else { continue }
            self[day].work = .ended
        }
    }

    /// Makes days without their video due, in the first sync with `--videos`.
    private mutating func makeVideosDue(at now: Date) throws(SystemError) {
        for (day, known) in days where known.isRecorded && known.state.hasAllButStill {
            let state = known.state
            do {
                // NASA's own videos are files; other addresses are web pages, such as YouTube's.
                guard let video = try store.record(of: day)?.video,
                    video.path == nil, (try? WebURL(video.url))?.isVideoFile == true
                else { continue }
                self[day].state = state.with(
                    RetryState(
                        dueAt: now, state.retry?.cause ?? .reduced,
                        state.retry?.reason ?? "its video is not downloaded yet",
                        after: state.retry))
            } catch {
                // The record may name a video, and the download of the day reads it again.
                guard error.cause != .shortage else { throw error }
                self[day].state = state.with(
                    RetryState(dueAt: now, .localError, "\(error)", after: state.retry))
            }
        }
    }

    // MARK: Entries of lists

    /// Claims the day of an entry that came in a list, if the entry has something new for the tree and the day is not
    /// handled yet; returns whether it did.
    mutating func claimUpdate(_ entry: Entry) -> Bool {
        let day = entry.day
        if self[day].state.retry?.hasFiles == true,
            isModifiedSinceAttempt(entry) || hasNewURL(entry)
        {
            // The retry waits for files of the earlier entry. The files of this one are due at once.
            let now = synchronizer.now()
            self[day].state.retry?.next = now
        }
        // An entry does not edit a day that came by a better route.
        let isAsGood = entry.route <= nextState.otherRoutes?[day] ?? .api
        let mayBeEdit =
            isAsGood && isOfCurrentFeed(entry) && (hasFiles(day) || isRemoved(day))
            && mayUpdate(entry)
        let isForMissingDay = !hasFiles(day) && !isExcluded(day) && isWorthRetrying(entry)
        guard mayBeEdit || isForMissingDay, self[day].work == .none else { return false }
        self[day].work = .claimed
        return true
    }

    /// Whether `entry` may have what its missing day lacked at the last attempt: it was edited since, or NASA is
    /// expected to put its picture right soon.
    private func isWorthRetrying(_ entry: Entry) -> Bool {
        guard let retry = self[entry.day].state.retry else { return false }
        if retry.permitsTry(atPoll: synchronizer.now()) { return true }
        let cause = retry.cause
        if cause == .unpublished || isModifiedSinceAttempt(entry) { return true }
        if [.lost, .noImage].contains(cause), !entry.media.namesNoPicture { return true }
        // A rejected entry left no record to compare with.
        guard let record = record(of: entry.day) else { return cause == .unusable }
        return DayRecord(entry, after: record).entry != record.entry
    }

    /// Whether `entry` or the tree may have something new for its day, which has files or lost them by retention.
    ///
    /// After a walk, any file may be missing. Between two walks, a complete day has news only if its record would
    /// change, or if NASA names other addresses of the picture.
    private func mayUpdate(_ entry: Entry) -> Bool {
        guard !hasWalked, self[entry.day].state == .complete, !self[entry.day].isSuspect,
            let record = record(of: entry.day), DayRecord(entry, after: record) == record
        else { return true }
        let namesPicture = !entry.media.namesNoPicture
        guard let picture = record.picture else { return namesPicture }
        let isKnownAddress = entry.media.pictures.contains { $0.url == picture.origin }
        return !isKnownAddress || picture.isReduced && namesPicture
    }

    /// Whether NASA changed the article since the last attempt, perhaps only because a file got other contents.
    private func isModifiedSinceAttempt(_ entry: Entry) -> Bool {
        guard let modified = entry.modified else { return false }
        return modified != self[entry.day].state.retry?.modified
    }

    /// Whether `entry` has another picture or video than at the last attempt.
    private func hasNewURL(_ entry: Entry) -> Bool {
        guard let record = record(of: entry.day) else { return false }
        return DayRecord(entry, after: record).entry.url != record.entry.url
    }

    /// A record that cannot be read counts as missing here, because the download of its day reports the error.
    private func record(of day: Day) -> DayRecord? { (try? store.record(of: day)) ?? nil }

    /// Whether `entry` has the format of the feed; one of another format, which may be about to end, edits no day.
    func isOfCurrentFeed(_ entry: Entry) -> Bool { entry.feed == synchronizer.routes.api.kind }

    /// Why the directory of `day` cannot be read; `nil` if it can.
    func obstruction(of day: Day) -> String? { snapshot.readError(of: day).map(Self.text) }

    static func text(_ error: SystemError) -> String {
        guard error.isNotDirectory else { return error.advice }
        return
            "\(error.path) is a link or a file instead of a directory, and nothing is written there; move it away, or put the directory itself in its place"
    }
}
