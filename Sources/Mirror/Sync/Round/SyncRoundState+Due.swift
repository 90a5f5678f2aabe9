internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// Decides which days a sync requests.
///
/// A day is due when its next retry is due. It gets due earlier if a file is missing in the tree, if the settings have
/// changed, or if NASA has edited its entry.
extension SyncRoundState {
    // MARK: The days to download

    /// The days to mirror; `nil` if NASA was never reached, or if this sync is for single days.
    var range: ClosedRange<Day>? { options.since == nil ? nil : nextState.range }

    /// Which days are to be requested now, with this policy for missing days.
    func plan(retry: SyncPlan.Retry) -> SyncPlan {
        SyncPlan(
            range: range, favorites: days(where: \.isRequestedFirst),
            adopted: days(where: \.isAdopted), now: synchronizer.now(), retry: retry
        ) {
            // While a download runs, however long, its day is not requested again.
            self[$0].work == .underWay ? .complete : self[$0].state
        }
    }

    /// Claims the due days that this sync has not handled yet, favorites first, and returns them.
    mutating func claimDueDays() -> [Day] {
        let new = plan(retry: retryPolicy).days.filter { self[$0].work == .none }
        for day in new {
            self[day].work = .claimed
            self[day].isPlanned = true
        }
        return new
    }

    /// Claims the days that came by another route than the API, if the API works now, and returns them.
    ///
    /// Days in NASA's list of the newest entries need no request of their own.
    mutating func claimDaysOfOtherRoutes() -> [Day] {
        // An API of the old format is used without other routes.
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
    /// `missingFiles` has the days that have one of their files and lack another one, with the path of the latter.
    ///
    /// - Throws: ``SystemError`` if descriptors or memory are used up.
    mutating func makeDaysDue(
        missingFiles: [Day: String], at now: Date
    ) throws(SystemError) {
        let room = try store.availableBytes()
        for (day, known) in days {
            guard let retry = known.state.retry else { continue }
            let wasPartial = stateOnDisk.retries[day]?.hasFiles == true
            // A day that was partial, or that failed by one of these causes, had a record.
            let hadRecord = wasPartial || [.lost, .noImage, .noStill].contains(retry.cause)
            let lostRecord = hadRecord && !known.isRecorded
            let lostFiles = wasPartial && !retry.hasFiles
            let fitsNow = retry.cause == .doesNotFit && retry.neededBytes ?? .max <= room
            if lostRecord || lostFiles || fitsNow {
                self[day].state.retry?.next = now
            }
            if missingFiles[day] == nil { self[day].state.retry?.lostFile = nil }
        }
        for (day, known) in days where known.isDamaged || missingFiles[day] != nil {
            let state = known.state
            let lostFile = missingFiles[day]
            // A file that gets lost is due at once. If the file was missing before, the delays between its retries go on.
            let isNew = state.retry.map { hasWalked && $0.lostFile != lostFile } ?? true
            if isNew, state.hasFiles {
                let reason = "one of its files is \(known.isDamaged ? "damaged" : "missing")"
                var retry = RetryState(dueAt: now, .localError, reason, after: state.retry)
                retry.lostFile = lostFile
                self[day].state = state.with(retry)
            } else if isNew || known.isDamaged && retryPolicy != .due {
                self[day].state.retry?.next = now
            }
        }
        if options.downloadsVideos, !stateOnDisk.downloadsVideos {
            try makeVideosDue(at: now)
        }
    }

    /// Adds ``fateOfEdits`` to the reason of each day in ``editedFiles``, so that `status` prints it.
    mutating func explainEdits(at now: Date) {
        for day in editedFiles.keys {
            let state = self[day].state
            let retry = state.retry ?? RetryState(dueAt: now, .localError, "", after: nil)
            self[day].state = state.with(Self.explainingEdit(retry))
        }
    }

    /// `retry` with ``fateOfEdits`` at the start of its reason.
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

    /// Puts off the days during whose downloads the last two processes ended: see ``UnfinishedDownloads``.
    ///
    /// They wait for a day. Neither a request by a person nor an edit by NASA makes them due earlier.
    mutating func putOffUnfinishedDays(at now: Date) {
        for day in store.tree.unfinishedDownloads.withLock(\.daysToPutOff) {
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

    /// Makes the days due that lack their video, in the first sync with `--videos`.
    private mutating func makeVideosDue(at now: Date) throws(SystemError) {
        for (day, known) in days where known.isRecorded && known.state.hasAllButStill {
            let state = known.state
            do {
                // Only NASA's own videos are files. Other addresses are web pages, such as those of YouTube.
                guard let video = try store.record(of: day)?.video,
                    video.path == nil, (try? WebURL(video.url))?.isVideoFile == true
                else { continue }
                self[day].state = state.with(
                    RetryState(
                        dueAt: now, state.retry?.cause ?? .reduced,
                        state.retry?.reason ?? "its video is not downloaded yet",
                        after: state.retry))
            } catch {
                // The record cannot be read now, and may name a video. The download of the day reads it again.
                guard !error.concernsEveryFile else { throw error }
                self[day].state = state.with(
                    RetryState(dueAt: now, .localError, "\(error)", after: state.retry))
            }
        }
    }

    // MARK: Entries of lists

    /// Claims the day of an entry that came in a list, if the entry may have something new for the tree.
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
        // An entry by a worse route than before must not edit the day.
        let isAsGood = entry.route <= nextState.otherRoutes?[day] ?? .api
        let mayBeEdit =
            isAsGood && isOfCurrentFeed(entry) && (hasFiles(day) || isRemoved(day))
            && mayUpdate(entry)
        let isForMissingDay = !hasFiles(day) && !isExcluded(day) && isWorthRetrying(entry)
        guard mayBeEdit || isForMissingDay, self[day].work == .none else { return false }
        self[day].work = .claimed
        return true
    }

    /// Whether `entry` may have what its missing day lacked at the last attempt.
    ///
    /// NASA has edited the entry since, or is expected to add a missing picture soon.
    private func isWorthRetrying(_ entry: Entry) -> Bool {
        guard let retry = self[entry.day].state.retry else { return false }
        if retry.permitsTry(atPoll: synchronizer.now()) { return true }
        let cause = retry.cause
        if cause == .unpublished || isModifiedSinceAttempt(entry) { return true }
        if [.lost, .noImage].contains(cause), !entry.media.namesNoPicture { return true }
        // Without a record, which a rejected entry does not make, there is nothing to compare with.
        guard let record = record(of: entry.day) else { return cause == .unusable }
        return DayRecord(entry, after: record).entry != record.entry
    }

    /// Whether the day of `entry`, which is in the mirror or was removed by `--keep`, may have to be updated.
    ///
    /// After a walk, any file may be missing. In a sync without a walk, a complete day has to be updated only if its record
    /// would change, or if NASA names another address for the picture.
    private func mayUpdate(_ entry: Entry) -> Bool {
        guard !hasWalked, self[entry.day].state == .complete, !self[entry.day].isDamaged,
            let record = record(of: entry.day), DayRecord(entry, after: record) == record
        else { return true }
        let namesPicture = !entry.media.namesNoPicture
        guard let picture = record.picture else { return namesPicture }
        let isKnownAddress = entry.media.pictures.contains { $0.url == picture.origin }
        return !isKnownAddress || picture.isReduced && namesPicture
    }

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

    /// The record of `day`; `nil` if it cannot be read, because the download of the day reports that error.
    private func record(of day: Day) -> DayRecord? { (try? store.record(of: day)) ?? nil }

    /// Whether `entry` has the format of the configured feed; an entry of another format must not edit a day.
    func isOfCurrentFeed(_ entry: Entry) -> Bool { entry.feed == synchronizer.routes.api.kind }

    /// Why the directory of `day` cannot be read; `nil` if it can.
    func obstruction(of day: Day) -> DayProblem? {
        snapshot.readError(of: day).map { error in
            DayProblem(
                .localError, Self.text(error),
                error.cause == .denied ? .obstacle(Obstacle(error)) : .none)
        }
    }

    /// What to report about a file or directory that cannot be read.
    static func text(_ error: SystemError) -> String {
        guard error.isNotDirectory else { return error.advice }
        return
            "\(error.path) is a link or a file instead of a directory, and nothing is written there; move it away, or put the"
            + " directory itself in its place"
    }
}
