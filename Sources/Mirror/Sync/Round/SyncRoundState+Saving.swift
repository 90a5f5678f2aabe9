internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// How a sync saves `state.json`, and what it decides at its end.
extension SyncRoundState {
    /// Writes `state.json`, unless nothing but the time of the last success is new and recent.
    mutating func save() throws {
        nextState.retries = days.compactMapValues(\.state.retry)
        guard nextState.isWorthSaving(over: stateOnDisk) else { return }
        try store.save(nextState)
        stateOnDisk = nextState
    }

    /// Saves at once if NASA has a new day: other parts of the program read from the file which day is the newest.
    mutating func saveIfNewestChanged() throws {
        guard nextState.newest != stateOnDisk.newest else { return }
        summary.hasNews = true
        try save()
    }

    /// Ends the sync: drops what is no longer of interest, finishes the summary, and saves the state.
    mutating func close() throws {
        nextState.hosts = synchronizer.client.hosts.notBefore.mapValues {
            Date(timeIntervalSince1970: $0)
        }
        dropUnwantedRetries()
        dropMarksOfFinishedDays()
        recordMachineObstacle()
        // A sync that was cancelled has seen no end of it.
        nextState.obstacle =
            summary.obstacle?.following(stateOnDisk.obstacle)
            ?? (Task.isCancelled ? stateOnDisk.obstacle : nil)
        // Only a sync that reached NASA and had no problem shows that the recorded error is over.
        if sawNewest, !hasProblem { nextState.lastError = nil }
        finishSummary()
        if summary.hasNews { saveCheckedMonths() }
        try save()
    }

    /// Compares the files that the sync published, so that no later process reads their records for that.
    private func saveCheckedMonths() {
        // After an error the next walk reads them.
        guard let current = store.snapshots.reuse() else { return }
        _ = try? store.recordedDays(in: current)
        try? store.checkedMonths.save(in: store)
    }

    /// Records an error of this machine that keeps several days away, if this sync published none; until then an earlier
    /// one counts.
    private mutating func recordMachineObstacle() {
        guard summary.obstacle == nil, summary.downloaded == 0 else { return }
        let failed = days.filter { !$1.state.hasFiles && $1.state.retry?.cause == .localError }
        // Of older days alone, the cause may be that of a directory.
        guard nextState.newest.map({ failed[$0] != nil }) ?? true else { return }
        let earlier = stateOnDisk.obstacle.flatMap {
            [.disk, .rights].contains($0.kind) ? $0 : nil
        }
        if failed.count > 1, let obstacle = machineObstacle ?? earlier { recordObstacle(obstacle) }
    }

    /// Forgets the retries of days without files that are no longer to be mirrored, as after a shorter `--since`.
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

    /// Removes the marks of days that this process tried and survived, or that are no longer to be mirrored.
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
        // Not `self.range`, which is `nil` in a sync of single days.
        if let range = nextState.range { return range.contains(day) && !isExcluded(day) }
        return day <= nextState.newest ?? .last && !isExcluded(day)
    }

    /// Puts the newest days, the time of the next retry and the counts of the range into the summary.
    private mutating func finishSummary() {
        summary.newest = nextState.newest
        summary.lastSuccess = nextState.lastSuccess
        summary.underWay = days.count { $0.value.work == .underWay }
        let daysWithFiles = daysWithFiles
        summary.newestWithFiles = nextState.newest(of: daysWithFiles, dates)
        let remaining = plan(retry: .due)
        // Days are still due if a list with their entries failed, or if the sync ended early, which has delays of its own.
        summary.nextRetry =
            remaining.days.isEmpty || leavesDays
            ? remaining.nextRetry
            : synchronizer.now().addingTimeInterval(RetryDelay.failedList / .seconds(1))
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
