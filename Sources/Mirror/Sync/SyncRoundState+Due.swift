internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// The days that a sync requests before the time of their retry.
extension SyncRoundState {
    /// Makes days due at the start of the sync, because the tree or the settings have changed; `userDays` are the
    /// recorded days that have only files of a user in place of their own.
    ///
    /// - Throws: ``SystemError`` if descriptors or memory are used up.
    mutating func makeDaysDue(
        withUserFilesOnly userDays: Set<Day>, at now: Date
    ) throws(SystemError) {
        let room = try store.availableBytes()
        for (day, known) in days {
            guard let retry = known.state.retry else { continue }
            // A partial day and one with these causes had a record: it was deleted, and is restored at once.
            let hadRecord =
                stateOnDisk.retries[day]?.hasFiles == true
                || [.lost, .noImage, .noStill].contains(retry.cause)
            let fitsNow = retry.cause == .doesNotFit && retry.neededBytes ?? .max <= room
            if hadRecord && !known.isRecorded || fitsNow { self[day].state.retry?.next = now }
        }
        for (day, known) in days where known.isSuspect {
            let state = known.state
            // The stored retry may be that of another file; only a requested sync does not wait for it.
            guard state.retry == nil || retryPolicy != .due else { continue }
            if state.hasFiles {
                self[day].state = state.with(
                    RetryState(
                        dueAt: now, .localError, "one of its files is damaged", after: state.retry))
            } else {
                self[day].state.retry?.next = now
            }
        }
        // Without a retry, a later sync would take the file of a user for the picture.
        for day in userDays
        where self[day].state.retry == nil && range?.contains(day) == true && !isExcluded(day) {
            self[day].state = .retried(
                RetryState(
                    dueAt: now, .unreachable, "its picture is not in the mirror", after: nil))
        }
        if options.downloadsVideos, !stateOnDisk.downloadsVideos {
            try makeVideosDue(at: now)
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
