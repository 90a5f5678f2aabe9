internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// What the start of a sync changes: the times at which missing and partial days are requested again, and their reasons.
///
/// `state.json` has a ``RetryState`` for each such day, with the time of the next attempt. A day need not wait for that time
/// if the tree, the disk or the settings have changed since. It must wait longer if its download made the program crash.
extension SyncRoundState {
    // MARK: Days that are due earlier

    /// Makes days due because the tree, the disk or the settings have changed since the last sync.
    ///
    /// - Throws: ``SystemError`` if descriptors or memory are used up.
    mutating func makeDaysDue(at now: Date) throws(SystemError) {
        try endNeedlessWaits(at: now)
        forgetFoundFiles()
        makeLostFilesDue(at: now)
        if options.downloadsVideos, !stateOnDisk.downloadsVideos { try makeVideosDue(at: now) }
    }

    /// Makes each day due whose retry waits without a reason.
    private mutating func endNeedlessWaits(at now: Date) throws(SystemError) {
        let freeBytes = try store.availableBytes()
        for (day, row) in days {
            guard let retry = row.state.retry else { continue }
            let bytesNeeded = retry.neededBytes ?? .max
            let fitsNow = retry.cause == .doesNotFit && bytesNeeded <= freeBytes
            if fitsNow || hasLostRecordOrFiles(of: day, row, retry) {
                self[day].state.retry?.next = now
            }
        }
    }

    /// Whether the record of a day, or all of its files, have disappeared since the last sync.
    private func hasLostRecordOrFiles(
        of day: Day, _ row: SyncDay, _ retry: RetryState
    ) -> Bool {
        let wasPartial = stateOnDisk.retries[day]?.hasFiles == true
        if wasPartial, !retry.hasFiles { return true }
        // A day that was partial, or that failed by one of these causes, had a record.
        let hadRecord = wasPartial || [.lost, .noImage, .noStill].contains(retry.cause)
        return hadRecord && !row.isRecorded
    }

    /// Forgets the lost files that are in the tree again, so that their next loss counts as a new one.
    private mutating func forgetFoundFiles() {
        for (day, row) in days
        where row.state.retry != nil && recordedAtStart.missingFiles[day] == nil {
            self[day].state.retry?.lostFile = nil
        }
    }

    /// Makes days due that lack one of several files, or of which a verification found a file damaged.
    private mutating func makeLostFilesDue(at now: Date) {
        for (day, row) in days {
            let lostFile = recordedAtStart.missingFiles[day]
            guard row.isDamaged || lostFile != nil else { continue }
            let isNew = isNewLoss(of: lostFile, row.state.retry)
            if isNew, row.state.hasFiles {
                let reason = "one of its files is \(row.isDamaged ? "damaged" : "missing")"
                var retry = RetryState(dueAt: now, .localError, reason, after: row.state.retry)
                retry.lostFile = lostFile
                setRetry(retry, of: day)
            } else {
                // A person who requests a sync wants the damage to be repaired now.
                let isRequested = row.isDamaged && retryPolicy != .due
                if isNew || isRequested { self[day].state.retry?.next = now }
            }
        }
    }

    /// Whether the loss of `lostFile` is noticed for the first time, so that its day is due at once.
    ///
    /// If the file was missing before, the delays between the attempts go on.
    private func isNewLoss(of lostFile: String?, _ retry: RetryState?) -> Bool {
        guard let retry else { return true }
        return hasWalked && retry.lostFile != lostFile
    }

    /// Makes the days due that lack their video, in the first sync with `--videos`.
    private mutating func makeVideosDue(at now: Date) throws(SystemError) {
        for (day, row) in days where row.isRecorded && row.state.hasAllButStill {
            let earlier = row.state.retry
            do throws(SystemError) {
                guard try lacksVideoFile(day) else { continue }
                setRetry(
                    RetryState(
                        dueAt: now, earlier?.cause ?? .reduced,
                        earlier?.reason ?? "its video is not downloaded yet", after: earlier),
                    of: day)
            } catch {
                guard !error.concernsEveryFile else { throw error }
                // The record cannot be read now, and may name a video. The download of the day reads it again.
                setRetry(RetryState(dueAt: now, .localError, "\(error)", after: earlier), of: day)
            }
        }
    }

    /// Whether the record of `day` names a video file of NASA that was not downloaded.
    private func lacksVideoFile(_ day: Day) throws(SystemError) -> Bool {
        guard let video = try store.record(of: day)?.video, video.path == nil
        else { return false }
        // Other videos are web pages, such as those of YouTube.
        return (try? WebURL(video.url))?.isVideoFile == true
    }

    // MARK: Edited files

    /// What follows for a file that a person has edited.
    static let fateOfEdits =
        "the original comes back, and what is there now moves to \(Layout.damaged)/"

    /// Says in the reason of each day in ``editedFiles`` what will happen to its file, because `status` prints the reason.
    ///
    /// A day that had no retry gets one for this, and is due.
    mutating func explainEdits(at now: Date) {
        for day in editedFiles.keys {
            let retry =
                self[day].state.retry ?? RetryState(dueAt: now, .localError, "", after: nil)
            setRetry(retry.explainingEdit(), of: day)
        }
    }

    // MARK: Days that are put off

    /// Puts off the days during whose downloads the last two processes ended: see ``UnfinishedDownloads``.
    ///
    /// They wait for a day. Neither a request by a person nor an edit by NASA makes them due earlier.
    mutating func putOffUnfinishedDays(at now: Date) {
        let reason =
            "the program ended twice in the middle of this download, by a crash, a kill or a power cut; it waits for a day,"
            + " and the others go on"
        for day in store.tree.unfinishedDownloads.withLock(\.daysToPutOff) {
            let earlier = self[day].state.retry
            setRetry(RetryState(.unfinished, reason, after: earlier, at: now), of: day)
        }
        leaveOutUnfinishedDays(at: now)
    }

    /// Excludes from this sync all days that wait because this sync or an earlier one has put them off.
    private mutating func leaveOutUnfinishedDays(at now: Date) {
        for (day, row) in days {
            guard row.work == .none, let retry = row.state.retry,
                retry.cause == .unfinished, retry.next > now
            else { continue }
            self[day].work = .ended
        }
    }

    private mutating func setRetry(_ retry: RetryState, of day: Day) {
        self[day].state = self[day].state.with(retry)
    }
}

extension RetryState {
    /// This state with ``SyncRoundState/fateOfEdits`` at the start of its reason.
    func explainingEdit() -> RetryState {
        let sentence = "its file was changed: \(SyncRoundState.fateOfEdits)"
        guard !reason.hasPrefix(sentence) else { return self }
        var explained = self
        explained.reason = reason.isEmpty ? sentence : "\(sentence); \(reason)"
        return explained
    }
}

extension SyncState {
    /// The state that a sync with these `options` begins with: its settings are the new ones, and no time is in the future.
    func adjusted(to options: Synchronizer.Options, at now: Date) -> SyncState {
        var state = self
        // A sync of single days has no `since`, and does not change the options of the mirror.
        if let since = options.since {
            state.since = since
            state.downloadsVideos = options.downloadsVideos
            state.keep = options.keep
        }
        // All days that were wanted stay wanted until they have come, see ``SyncRoundState/close()``, or until less is asked for.
        if case .days = state.since, let newest,
            let first = state.since.range(newest: newest)?.lowerBound,
            let before = since.range(newest: newest)?.lowerBound, first <= before
        {
            state.missingFrom = range?.lowerBound
        } else {
            state.missingFrom = nil
        }
        state.hosts = hosts.filter { $0.value > now }
        state.retries = retries.mapValues { $0.clamped(to: now) }
        return state
    }
}

extension Store {
    /// Writes the lost redirect pages of `days` again; one that cannot be written is tried again after the next walk.
    func restoreRedirectPages(of days: Set<Day>) {
        for day in days {
            if let record = try? record(of: day) {
                _ = try? tree.restoreRedirectPage(of: record)
            }
            snapshots.recordChange(of: day)
        }
    }
}
