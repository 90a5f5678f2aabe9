internal import APOD
internal import FoundationEssentials
internal import MediaFormat
internal import Platform

/// The days that a sync requests before the time of their retry.
extension SyncRoundState {
    /// Makes days due at the start of the sync, because the tree or the settings have changed; `userDays` are the
    /// recorded days that have only files of a user in place of their own.
    ///
    /// - Throws: ``SystemError`` if descriptors or memory are used up.
    mutating func makeDaysDue(
        withUserFilesOnly userDays: Set<Day>, at now: Date
    ) throws(SystemError) {
        // Days with these causes had a record: it was deleted, and is restored at once.
        for (day, state) in days where !recorded.contains(day) {
            guard var retry = state.retry,
                [.lost, .noImage, .noStill, .partial].contains(retry.cause)
            else { continue }
            retry.next = now
            days[day] = state.with(retry)
        }
        for day in suspects where hasFiles(day) {
            // The stored retry may be that of another file; only a requested sync does not wait for it.
            guard days[day]?.retry == nil || retryPolicy != .due else { continue }
            days[day] = .partial(
                RetryState(
                    dueAt: now, .partial, "one of its files is damaged", after: days[day]?.retry))
        }
        // Without a retry, a later sync would take the file of a user for the picture.
        for day in userDays
        where days[day]?.retry == nil && range?.contains(day) == true && !isExcluded(day) {
            days[day] = .missing(
                RetryState(
                    dueAt: now, .unreachable, "its picture is not in the mirror", after: nil))
        }
        if options.downloadsVideos, !stateOnDisk.downloadsVideos {
            try makeVideosDue(at: now)
        }
    }

    /// Makes days without their video due, in the first sync with `--videos`; a partial day waits for its own retry.
    private mutating func makeVideosDue(at now: Date) throws(SystemError) {
        for day in recorded {
            let state = self[day]
            let isCompleteOrWithoutStill = state.retry.map(\.cause.isWithoutStill) ?? state.hasFiles
            // NASA's own videos are files; others are web pages, such as YouTube's.
            guard isCompleteOrWithoutStill, let video = try store.record(of: day)?.video,
                video.path == nil, MediaType(ofName: video.url) != nil
            else { continue }
            days[day] = state.with(
                RetryState(
                    dueAt: now, state.retry?.cause ?? .partial,
                    state.retry?.reason ?? "its video is not downloaded yet", after: state.retry))
        }
    }
}
