internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// How a sync saves `state.json`, and what it does at its end.
extension SyncRoundState {
    /// Writes `state.json`, unless only times have changed since it was last written: then once a day is enough.
    mutating func save() throws {
        nextState.retries = days.compactMapValues(\.state.retry)
        guard nextState.isWorthSaving(over: stateOnDisk) else { return }
        try store.save(nextState)
        stateOnDisk = nextState
    }

    /// Saves the state during the sync if NASA has a new day, because other services read the newest day from `state.json`.
    mutating func saveIfNewestChanged() throws {
        guard nextState.newest != stateOnDisk.newest else { return }
        summary.hasNews = true
        try save()
    }

    /// Ends the sync: forgets retries that are no longer needed, completes the summary, and saves the state.
    mutating func close() throws {
        nextState.hosts = synchronizer.client.hosts.notBefore.mapValues {
            Date(timeIntervalSince1970: $0)
        }
        dropArrivedDays()
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

    /// Compares the files that this sync has published with their records, so that the next process need not do it.
    private func saveCheckedMonths() {
        // If that fails, the next process compares them.
        guard let current = store.snapshots.reuse() else { return }
        _ = try? store.recordedDays(in: current)
        try? store.checkedMonths.save(in: store)
    }

    /// Records an error of this machine as the obstacle, if several days failed because of it and this sync published none.
    ///
    /// If this user may not write where the newest day is published, this day alone is enough: the next days fail as well.
    ///
    /// If no day was tried, the obstacle of the last sync still counts.
    private mutating func recordMachineObstacle() {
        guard summary.obstacle == nil, summary.downloaded == 0 else { return }
        let failed = days.filter { !$1.state.hasFiles && $1.state.retry?.cause == .localError }
        guard failed.count > 1 || machineObstacle?.kind == .rights else { return }
        // If the newest day did not fail, the cause may be a single directory of older days.
        if let newest = nextState.newest, failed[newest] == nil { return }
        if let machineObstacle {
            recordObstacle(machineObstacle)
        } else if let earlier = stateOnDisk.obstacle, [.disk, .rights].contains(earlier.kind) {
            recordObstacle(earlier)
        }
    }

    /// Ends the range at the days of `--since`, or at the oldest earlier day that is still missing.
    ///
    /// With `--since 30d`, NASA may publish a day more than 30 days late, or the disk may be full for so long.
    private mutating func dropArrivedDays() {
        guard let range = nextState.range,
            let recent = nextState.since.range(newest: range.upperBound)?.lowerBound
        else { return }
        nextState.missingFrom = range.prefix { $0 < recent }.first(where: isMissing)
    }

    /// Whether NASA may have a picture of `day` that is not in the tree.
    private func isMissing(_ day: Day) -> Bool {
        guard !hasFiles(day), !Day.neverPublished.contains(day) else { return false }
        return self[day].state.retry?.mayEnd ?? true
    }

    /// Forgets the retries of missing days that the mirror is not to have any more, for example after a shorter `--since`.
    private mutating func dropUnwantedRetries() {
        for (day, known) in days {
            guard known.state.retry?.hasFiles == false, !isWanted(day) else { continue }
            self[day].state = known.isRecorded ? .removed : .unknown
        }
    }

    /// Saves which days are put off after unfinished downloads, before this sync downloads anything.
    mutating func savePutOffDays() throws {
        try save()
        store.tree.unfinishedDownloads.withLock { $0.daysToPutOff = [] }
    }

    /// Removes the marks of ``UnfinishedDownloads`` for days that this process has tried and survived, or does not want.
    private func dropMarksOfFinishedDays() {
        guard let incoming = try? store.incoming else { return }
        for day in store.tree.unfinishedDownloads.withLock(\.markedDays) {
            let isOver =
                switch self[day].state {
                case .complete, .removed: true
                case .unknown: false
                case .retried(let retry): !retry.cause.isTransient && retry.cause != .unfinished
                }
            guard isOver || !isWanted(day) else { continue }
            store.tree.unfinishedDownloads.withLock { $0.removeMark(of: day, in: incoming) }
        }
    }

    private func isWanted(_ day: Day) -> Bool {
        if self[day].isAlwaysWanted { return true }
        if isExcluded(day) { return false }
        // The range of the mirror, because `self.range` is `nil` in a sync of single days.
        if let range = nextState.range { return range.contains(day) }
        return day <= nextState.newest ?? .last
    }

    private mutating func finishSummary() {
        summary.newest = nextState.newest
        summary.lastSuccess = nextState.lastSuccess
        summary.underWay = days.count { $0.value.work == .underWay }
        let daysWithFiles = daysWithFiles
        summary.newestWithFiles = nextState.newest(of: daysWithFiles, within: dates)
        let remaining = plan(retry: .due)
        summary.nextRetry = remaining.nextRetry
        // If the sync did not end early and days are still due, the request for their list of entries failed.
        if !remaining.days.isEmpty, !leavesDays {
            summary.nextRetry = synchronizer.now().addingTimeInterval(
                RetryDelay.failedList / .seconds(1))
        }
        summary.awaitsPicture = remaining.awaitsPicture
        guard let range else { return }
        let unknown = unknownDays(in: range)
        summary.expected = range.count - Day.neverPublished.count { range.contains($0) }
        summary.withFiles = daysWithFiles.count { range.contains($0) && unknown[$0] == nil }
        summary.withoutPicture = days.count { range.contains($0.key) && $0.value.hasNoPicture }
        summary.unknown = unknown.count
        if let (_, error) = unknown.max(by: { $0.key < $1.key }) {
            let days = "\(unknown.count) of \(counted(summary.expected, "day"))"
            recordFailureBesideDays(
                "\(days) cannot be read, and may be complete: \(error.textForUnreadable)")
        }
    }

    /// The days of `range` of which nobody knows at the end of the sync whether they are complete, and why.
    private func unknownDays(in range: ClosedRange<Day>) -> [Day: SystemError] {
        guard !snapshot.unreadable.isEmpty || !recordedAtStart.unreadable.isEmpty
        else { return [:] }
        // This sync may have published some of them. After an error, they are as they were at the start of the sync.
        let current = store.snapshots.reuse() ?? snapshot
        let recorded = (try? store.recordedDays(in: current)) ?? recordedAtStart
        var unknown: [Day: SystemError] = [:]
        for day in range where !Day.neverPublished.contains(day) && !self[day].hasNoPicture {
            unknown[day] = recorded.doubt(about: day, in: current)
        }
        return unknown
    }
}
