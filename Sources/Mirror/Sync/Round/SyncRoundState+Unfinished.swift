internal import APOD
internal import FoundationEssentials
internal import Platform

/// How a sync puts off the days whose downloads made the program crash: see ``UnfinishedDownloads``.
extension SyncRoundState {
    /// Puts off the days during whose downloads the last two processes ended.
    ///
    /// They wait for a day. Neither a request by a person nor an edit by NASA makes them due earlier.
    mutating func putOffUnfinishedDays(at now: Date) {
        let reason =
            "the program ended twice in the middle of this download, by a crash, a kill or a power cut; it waits for a day,"
            + " and the others go on"
        for day in store.tree.unfinishedDownloads.withLock(\.daysToPutOff) {
            let state = self[day].state
            self[day].state = state.with(
                RetryState(.unfinished, reason, after: state.retry, at: now))
        }
        // This sync leaves out all days that it or an earlier one has put off.
        for (day, row) in days {
            guard row.work == .none, let retry = row.state.retry,
                retry.cause == .unfinished, retry.next > now
            else { continue }
            self[day].work = .ended
        }
    }

    /// Saves which days were put off, before this sync downloads anything.
    mutating func savePutOffDays() throws {
        try save()
        store.tree.unfinishedDownloads.withLock { $0.finishPuttingOff() }
    }

    /// Removes the marks of the days that this process has tried and survived, or that the mirror is not to have.
    func dropMarksOfFinishedDays() {
        guard let incoming = try? store.incoming else { return }
        for day in store.tree.unfinishedDownloads.withLock(\.markedDays)
        where hasSurvivedDownload(of: day) || !isWanted(day) {
            store.tree.unfinishedDownloads.withLock { $0.removeMark(of: day, in: incoming) }
        }
    }

    /// Whether the state of `day` shows that a download of the day has ended without a crash.
    private func hasSurvivedDownload(of day: Day) -> Bool {
        switch self[day].state {
        case .complete, .removed: true
        case .unknown: false
        // After a failure of the network or this machine, perhaps no file was downloaded.
        case .retried(let retry): !retry.cause.isTransient && retry.cause != .unfinished
        }
    }
}
