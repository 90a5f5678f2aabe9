internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// The start of a sync: adjusts when missing and partial days are requested again, to what has changed since the last sync.
///
/// `state.json` has a ``RetryState`` for each such day, with the time of the next attempt and the reason. A day need not wait
/// for that time if the tree, the disk or the settings have changed. It waits longer if its download made the program crash.
extension SyncRoundState {
    /// Adjusts the retries of all days.
    ///
    /// The order of the steps decides which reason a day gets: a later step replaces the reason of an earlier one.
    ///
    /// - Throws: ``SystemError`` if descriptors or memory are used up.
    mutating func adjustRetries(at now: Date) throws(SystemError) {
        try endNeedlessWaits(at: now)
        forgetFoundFiles()
        makeLostFilesDue(at: now)
        if options.downloadsVideos, !stateOnDisk.downloadsVideos { try makeVideosDue(at: now) }
        makeEditedFilesDue(at: now)
        putOffUnfinishedDays(at: now)
    }

    /// Makes `day` due at `now`; what its earlier retry has counted stays.
    private mutating func makeDue(
        _ day: Day, at now: Date, cause: RetryState.Cause, reason: String
    ) {
        let state = self[day].state
        self[day].state = state.with(
            RetryState(dueAt: now, cause: cause, reason: reason, after: state.retry))
    }

    /// Makes the days due whose file fits on the disk now, or whose record or files have disappeared.
    private mutating func endNeedlessWaits(at now: Date) throws(SystemError) {
        let freeBytes = try store.availableBytes()
        for (day, row) in days {
            guard let retry = row.state.retry else { continue }
            let fitsNow = retry.cause == .doesNotFit && (retry.neededBytes ?? .max) <= freeBytes
            let wasPartial = stateOnDisk.retries[day]?.hasFiles == true
            if fitsNow || row.hasLostRecordOrFiles(wasPartial: wasPartial) {
                self[day].state.retry?.next = now
            }
        }
    }

    // MARK: Lost and damaged files

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
            let retry = row.state.retry
            let isNewLoss = retry == nil || (hasWalked && retry?.lostFile != lostFile)
            // A person who requests a sync wants the damage to be repaired now.
            let isRequested = row.isDamaged && retryPolicy != .due
            if isNewLoss, row.state.hasFiles {
                let loss = row.isDamaged ? "damaged" : "missing"
                makeDue(day, at: now, cause: .localError, reason: "one of its files is \(loss)")
                self[day].state.retry?.lostFile = lostFile
            } else if isNewLoss || isRequested {
                // The reason of the last attempt stays.
                self[day].state.retry?.next = now
            }
        }
    }

    /// Makes the days due that lack their video, in the first sync with `--videos`.
    private mutating func makeVideosDue(at now: Date) throws(SystemError) {
        for (day, row) in days where row.isRecorded && row.state.hasAllButStill {
            try makeVideoDue(day, at: now)
        }
    }

    /// Makes `day` due if it lacks its video.
    mutating func makeVideoDue(_ day: Day, at now: Date) throws(SystemError) {
        do throws(SystemError) {
            guard try lacksVideoFile(day) else { return }
            let earlier = self[day].state.retry
            makeDue(
                day, at: now, cause: earlier?.cause ?? .reduced,
                reason: earlier?.reason ?? "its video is not downloaded yet")
        } catch {
            guard !error.concernsEveryFile else { throw error }
            // The record cannot be read now, and may name a video. The download of the day reads it again.
            makeDue(day, at: now, cause: .localError, reason: "\(error)")
        }
    }

    /// Whether the record of `day` names a video file of NASA that is not in the mirror, because of the settings.
    private func lacksVideoFile(_ day: Day) throws(SystemError) -> Bool {
        guard let record = try store.record(of: day), let video = record.video,
            record.file(.video) == nil
        else { return false }
        // Other videos are web pages, such as those of YouTube.
        return (try? WebURL(video.url))?.isVideoFile == true
    }

    /// What follows for a file that a person has edited.
    static let fateOfEdits =
        "the original comes back, and what is there now moves to \(Layout.damaged)/"

    /// Says in the reason of each day in ``editedFiles`` what will happen to its file, because `status` prints the reason.
    ///
    /// A day that has no retry gets one for this, and is due. A day with a retry keeps its time.
    private mutating func makeEditedFilesDue(at now: Date) {
        for day in editedFiles.keys {
            if self[day].state.retry == nil {
                makeDue(day, at: now, cause: .localError, reason: "")
            }
            self[day].state.retry = self[day].state.retry?.explainingEdit()
        }
    }
}

extension SyncDay {
    /// Whether the record of the day, or all of its files, have disappeared since the last sync.
    ///
    /// `wasPartial` says whether the day had a picture or a video then, and lacked another file.
    fileprivate func hasLostRecordOrFiles(wasPartial: Bool) -> Bool {
        if wasPartial, !state.hasFiles { return true }
        // A day that was partial, or that failed by one of these causes, had a record.
        let causesWithRecord: [RetryState.Cause?] = [.lost, .noImage, .noStill]
        let hadRecord = wasPartial || causesWithRecord.contains(state.retry?.cause)
        return hadRecord && !isRecorded
    }
}

extension RetryState {
    /// This state with ``SyncRoundState/fateOfEdits`` at the start of its reason, unless it is there already.
    func explainingEdit() -> RetryState {
        let sentence = "its file was changed: \(SyncRoundState.fateOfEdits)"
        guard !reason.hasPrefix(sentence) else { return self }
        var explained = self
        explained.reason = reason.isEmpty ? sentence : "\(sentence); \(reason)"
        return explained
    }
}
