internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// What the start of a sync changes: the times at which missing and partial days are requested again, and their reasons.
///
/// `state.json` has a ``RetryState`` for each such day, with the time of the next attempt. A day need not wait for that time
/// if the tree, the disk or the settings have changed since. It must wait longer if its download made the program crash.
extension SyncRoundState {
    /// Adjusts the retries of all days to what has changed since the last sync.
    ///
    /// - Throws: ``SystemError`` if descriptors or memory are used up.
    mutating func adjustRetries(at now: Date) throws(SystemError) {
        try endNeedlessWaits(at: now)
        forgetFoundFiles()
        makeLostFilesDue(at: now)
        if options.downloadsVideos, !stateOnDisk.downloadsVideos { try makeVideosDue(at: now) }
        explainEdits(at: now)
        putOffUnfinishedDays(at: now)
    }

    // MARK: Days that are due earlier

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
    ///
    /// Each loss makes its day due once. After that, the day waits for its retry like any other.
    private mutating func makeLostFilesDue(at now: Date) {
        for (day, row) in days {
            let lostFile = recordedAtStart.missingFiles[day]
            guard row.isDamaged || lostFile != nil else { continue }
            // A person who requests a sync wants the damage to be repaired now.
            let isRequested = row.isDamaged && retryPolicy != .due
            if !isNewLoss(of: lostFile, row.state.retry) {
                if isRequested { self[day].state.retry?.next = now }
            } else if row.state.hasFiles {
                let loss = row.isDamaged ? "damaged" : "missing"
                makeDue(day, at: now, cause: .localError, reason: "one of its files is \(loss)")
                self[day].state.retry?.lostFile = lostFile
            } else {
                self[day].state.retry?.next = now
            }
        }
    }

    /// Whether the loss of `lostFile` is noticed for the first time: no earlier sync has recorded it in `retry`.
    private func isNewLoss(of lostFile: String?, _ retry: RetryState?) -> Bool {
        guard let retry else { return true }
        return hasWalked && retry.lostFile != lostFile
    }

    /// Makes the days due that lack their video, in the first sync with `--videos`.
    private mutating func makeVideosDue(at now: Date) throws(SystemError) {
        for (day, row) in days where row.isRecorded && row.state.hasAllButStill {
            do throws(SystemError) {
                guard try lacksVideoFile(day) else { continue }
                let earlier = row.state.retry
                makeDue(
                    day, at: now, cause: earlier?.cause ?? .reduced,
                    reason: earlier?.reason ?? "its video is not downloaded yet")
            } catch {
                guard !error.concernsEveryFile else { throw error }
                // The record cannot be read now, and may name a video. The download of the day reads it again.
                makeDue(day, at: now, cause: .localError, reason: "\(error)")
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
    private mutating func explainEdits(at now: Date) {
        for day in editedFiles.keys {
            if self[day].state.retry == nil {
                makeDue(day, at: now, cause: .localError, reason: "")
            }
            self[day].state.retry = self[day].state.retry?.explainingEdit()
        }
    }

    // MARK: Days that are put off

    /// Puts off the days during whose downloads the last two processes ended: see ``UnfinishedDownloads``.
    ///
    /// They wait for a day. Neither a request by a person nor an edit by NASA makes them due earlier.
    private mutating func putOffUnfinishedDays(at now: Date) {
        let reason =
            "the program ended twice in the middle of this download, by a crash, a kill or a power cut; it waits for a day,"
            + " and the others go on"
        for day in store.tree.unfinishedDownloads.withLock(\.daysToPutOff) {
            let state = self[day].state
            self[day].state = state.with(
                RetryState(.unfinished, reason, after: state.retry, at: now))
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

    /// Makes `day` due at `now`; what its earlier retry has counted stays.
    private mutating func makeDue(
        _ day: Day, at now: Date, cause: RetryState.Cause, reason: String
    ) {
        let state = self[day].state
        self[day].state = state.with(
            RetryState(dueAt: now, cause: cause, reason: reason, after: state.retry))
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
