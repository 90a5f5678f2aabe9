internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// The end of a sync, and how it saves `state.json`.
extension SyncRoundState {
    /// Writes `state.json`, unless only the time of the last success has changed since it was written a few hours ago.
    mutating func save() throws {
        nextState.retries = days.compactMapValues(\.state.retry)
        guard nextState.isWorthSaving(over: stateOnDisk) else { return }
        try store.save(nextState)
        stateOnDisk = nextState
    }

    /// Saves at once if NASA has a new day, because other services read from the file which day is the newest.
    mutating func saveIfNewestChanged() throws {
        guard nextState.newest != stateOnDisk.newest else { return }
        summary.hasNews = true
        try save()
    }

    /// Ends the sync: drops what is not needed any more, finishes the summary, and saves the state.
    mutating func close() throws {
        nextState.hosts = synchronizer.client.hosts.notBefore.mapValues {
            Date(timeIntervalSince1970: $0)
        }
        dropUnwantedRetries()
        dropMarksOfFinishedDays()
        recordMachineObstacle()
        if let obstacle = summary.obstacle {
            nextState.obstacle = obstacle.following(stateOnDisk.obstacle)
        } else if !Task.isCancelled {
            nextState.obstacle = nil
        }
        // Only a sync that reached NASA and had no problem shows that the recorded error is over.
        if sawNewest, !hasProblem { nextState.lastError = nil }
        finishSummary()
        if summary.hasNews { saveCheckedMonths() }
        try save()
    }

    /// Compares the files that the sync published with their records, so that no later process has to read these.
    private func saveCheckedMonths() {
        // After an error, the next walk reads them.
        guard let current = store.snapshots.reuse() else { return }
        _ = try? store.recordedDays(in: current)
        try? store.checkedMonths.save(in: store)
    }

    /// Records an error of this machine as the obstacle if it keeps several days away and this sync published none.
    ///
    /// If no day was tried, an earlier error of this machine still counts.
    private mutating func recordMachineObstacle() {
        guard summary.obstacle == nil, summary.downloaded == 0 else { return }
        let failed = days.filter { !$1.state.hasFiles && $1.state.retry?.cause == .localError }
        guard failed.count > 1 else { return }
        // If only older days failed, perhaps a single directory is the cause.
        if let newest = nextState.newest, failed[newest] == nil { return }
        if let machineObstacle {
            recordObstacle(machineObstacle)
        } else if let earlier = stateOnDisk.obstacle, [.disk, .rights].contains(earlier.kind) {
            recordObstacle(earlier)
        }
    }

    /// Forgets the retries of missing days that are not wanted any more, for example after a shorter `--since`.
    private mutating func dropUnwantedRetries() {
        for (day, known) in days {
            guard known.state.retry?.hasFiles == false, !isWanted(day) else { continue }
            self[day].state = known.isRecorded ? .removed : .unknown
        }
    }

    /// Saves which days are put off after unfinished downloads, before another download may end the process.
    mutating func savePutOffDays() throws {
        try save()
        store.tree.unfinishedDownloads.withLock { $0.again = [] }
    }

    /// Removes the marks of downloads that this process tried and survived, and of days that are not wanted now.
    private func dropMarksOfFinishedDays() {
        for day in store.tree.unfinishedDownloads.withLock(\.days) {
            let isOver =
                switch self[day].state {
                case .complete, .removed: true
                case .unknown: false
                case .retried(let retry): !retry.cause.isTransient && retry.cause != .unfinished
                }
            guard isOver || !isWanted(day) else { continue }
            try? store.incoming.removeUnfinished(UnfinishedDownloads.mark(of: day))
            store.tree.unfinishedDownloads.withLock { _ = $0.days.remove(day) }
        }
    }

    private func isWanted(_ day: Day) -> Bool {
        if self[day].isAlwaysWanted { return true }
        if isExcluded(day) { return false }
        // `self.range` is `nil` in a sync of single days.
        if let range = nextState.range { return range.contains(day) }
        return day <= nextState.newest ?? .last
    }

    private mutating func finishSummary() {
        summary.newest = nextState.newest
        summary.lastSuccess = nextState.lastSuccess
        summary.underWay = days.count { $0.value.work == .underWay }
        let daysWithFiles = daysWithFiles
        summary.newestWithFiles = nextState.newest(of: daysWithFiles, dates)
        let remaining = plan(retry: .due)
        summary.nextRetry = remaining.nextRetry
        // If days are still due although the sync did not end early, a list with their entries failed.
        if !remaining.days.isEmpty, !leavesDays {
            summary.nextRetry = synchronizer.now().addingTimeInterval(
                RetryDelay.failedList / .seconds(1))
        }
        summary.awaitsPicture = remaining.awaitsPicture
        guard let range else { return }
        summary.expected = range.count - Day.neverPublished.count { range.contains($0) }
        summary.withFiles = daysWithFiles.count { range.contains($0) }
        summary.withoutPicture = days.count { day, known in
            let state = known.state
            return range.contains(day) && !state.hasFiles && state.retry?.hasNoPicture == true
        }
    }
}
