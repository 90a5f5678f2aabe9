internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// The days that a sync requests before the time of their retry, and those that it puts off.
extension SyncRoundState {
    /// Makes days due at the start of the sync, because the tree or the settings have changed; `partialDays` have one of
    /// their files, and lack that with this path.
    ///
    /// - Throws: ``SystemError`` if descriptors or memory are used up.
    mutating func makeDaysDue(
        lackingFiles partialDays: [Day: String], at now: Date
    ) throws(SystemError) {
        let room = try store.availableBytes()
        for (day, known) in days {
            guard let retry = known.state.retry else { continue }
            // A partial day and one with these causes had a record: it was deleted, and is restored at once.
            let hadRecord =
                stateOnDisk.retries[day]?.hasFiles == true
                || [.lost, .noImage, .noStill].contains(retry.cause)
            let lostFiles = stateOnDisk.retries[day]?.hasFiles == true && !retry.hasFiles
            let fitsNow = retry.cause == .doesNotFit && retry.neededBytes ?? .max <= room
            if hadRecord && !known.isRecorded || lostFiles || fitsNow {
                self[day].state.retry?.next = now
            }
            if partialDays[day] == nil { self[day].state.retry?.lostFile = nil }
        }
        for (day, known) in days where known.isSuspect || partialDays[day] != nil {
            let state = known.state
            let lostFile = partialDays[day]
            // The stored retry may be that of another file, and is not waited for. Each walk finds the same file again, whose
            // delays go on to grow.
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

    /// Says of each day in ``edited`` what becomes of the edit: before it is requested, and while that fails.
    mutating func explainEdits(at now: Date) {
        for day in edited.keys {
            let state = self[day].state
            let retry = state.retry ?? RetryState(dueAt: now, .localError, "", after: nil)
            self[day].state = state.with(Self.explainingEdit(retry))
        }
    }

    /// The same retry, whose reason says what becomes of the edited file.
    static func explainingEdit(_ retry: RetryState) -> RetryState {
        var retry = retry
        let sentence = "its file was changed: \(fateOfEdits)"
        if !retry.reason.hasPrefix(sentence) {
            retry.reason = sentence + (retry.reason.isEmpty ? "" : "; \(retry.reason)")
        }
        return retry
    }

    /// What becomes of a file that somebody edited.
    static let fateOfEdits =
        "the original comes back, and what is there now moves to \(Layout.damaged)/"

    /// Puts off the days whose downloads the last two processes did not survive, so that one file does not end each start;
    /// until a day has passed, neither a request nor an edit by NASA hastens them.
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

    /// Makes days without their video due, in the first sync with `--videos`; a partial day waits for its own retry.
    private mutating func makeVideosDue(at now: Date) throws(SystemError) {
        for (day, known) in days where known.isRecorded && known.state.hasAllButStill {
            let state = known.state
            do {
                // NASA's own videos are files; others are web pages, such as YouTube's.
                guard let video = try store.record(of: day)?.video,
                    video.path == nil, (try? WebURL(video.url))?.isVideoFile == true
                else { continue }
                self[day].state = state.with(
                    RetryState(
                        dueAt: now, state.retry?.cause ?? .reduced,
                        state.retry?.reason ?? "its video is not downloaded yet",
                        after: state.retry))
            } catch {
                // It may name a video: the download of its day reads it again.
                guard error.cause != .shortage else { throw error }
                self[day].state = state.with(
                    RetryState(dueAt: now, .localError, "\(error)", after: state.retry))
            }
        }
    }
}
