internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// The end of a sync: what it forgets, the obstacle that it records, the summary, and how it saves `state.json`.
extension SyncRoundState {
    /// Ends the sync: forgets retries that are no longer needed, completes the summary, and saves the state.
    mutating func close() throws {
        nextState.hosts = synchronizer.client.hosts.endsOfPauses.mapValues {
            Date(timeIntervalSince1970: $0)
        }
        shortenRange()
        dropUnwantedRetries()
        dropMarksOfFinishedDays()
        updateObstacle()
        // Only a sync that reached NASA and had no problem shows that the recorded error is over.
        if sawNewest, !hasProblem { nextState.lastError = nil }
        // Counts the days of the shortened range, and plans with the remaining retries.
        finishSummary()
        if summary.hasNews { saveCheckedMonths() }
        try save()
    }

    // MARK: Saving

    /// Writes `state.json`, unless only times have changed since it was last written: then once a day is enough.
    mutating func save() throws {
        nextState.retries = days.compactMapValues(\.state.retry)
        guard nextState.isWorthSaving(over: stateOnDisk) else { return }
        if stateError == nil {
            try store.save(nextState)
        } else {
            store.lastState.withLock { $0 = nextState }
        }
        stateOnDisk = nextState
    }

    /// Saves the state during the sync if NASA has a new day, because other services read the newest day from `state.json`.
    mutating func saveIfNewestChanged() throws {
        guard nextState.newest != stateOnDisk.newest else { return }
        summary.hasNews = true
        try save()
    }

    /// Compares the files that this sync has published with their records, so that the next process need not do it.
    private func saveCheckedMonths() {
        // If that fails, the next process compares them.
        guard let current = store.snapshots.reuse() else { return }
        _ = try? store.recordedDays(in: current)
        try? store.checkedMonths.save(in: store)
    }

    // MARK: The obstacle

    /// Records the ``Obstacle``, which is what prevented every download in this sync, or that nothing did.
    private mutating func updateObstacle() {
        if summary.obstacle == nil, doFailuresConcernAllDays {
            summary.obstacle = machineObstacle ?? earlierObstacleOfMachine
        }
        if let obstacle = summary.obstacle {
            nextState.obstacle = obstacle.following(stateOnDisk.obstacle)
        } else if !Task.isCancelled {
            nextState.obstacle = nil
        }
    }

    /// Whether days have failed because of this machine, and any other day would fail, too.
    private var doFailuresConcernAllDays: Bool {
        guard summary.downloaded == 0 else { return false }
        let failed = days.filter { !$1.state.hasFiles && $1.state.retry?.cause == .localError }
        // If the newest day did not fail, the cause may be a single directory of older days.
        if let newest = nextState.newest, failed[newest] == nil { return false }
        // If this user may not write where the newest day is published, one day is enough: the next days fail as well.
        return failed.count > 1 || machineObstacle?.kind == .rights
    }

    /// The obstacle of the sync before, for a sync that tries no day because all wait for their retries.
    private var earlierObstacleOfMachine: Obstacle? {
        guard let earlier = stateOnDisk.obstacle else { return nil }
        return [.disk, .rights].contains(earlier.kind) ? earlier : nil
    }

    // MARK: The summary

    /// Completes the summary; the range of the mirror and the retries of days must be final.
    mutating func finishSummary() {
        // Computed once, because it goes over all days.
        let daysWithFiles = daysWithFiles
        summary.newest = nextState.newest
        summary.newestWithFiles = nextState.newest(of: daysWithFiles, within: dates)
        summary.lastSuccess = nextState.lastSuccess
        summary.underWay = days.count { $0.value.work == .underWay }
        planNextSync()
        guard let range else { return }
        let unknown = unknownDays(in: range)
        summary.expected = range.count - Day.neverPublished.count { range.contains($0) }
        summary.withFiles = daysWithFiles.count { range.contains($0) && unknown[$0] == nil }
        summary.withoutPicture = days.count { range.contains($0.key) && $0.value.hasNoPicture }
        summary.unknown = unknown.count
        guard let (_, error) = unknown.max(by: { $0.key < $1.key }) else { return }
        let unknownOfAll = "\(unknown.count) of \(counted(summary.expected, "day"))"
        recordSummaryFailure(
            "\(unknownOfAll) cannot be read, and may be complete: \(error.textForUnreadable)")
    }

    private mutating func planNextSync() {
        let nextPlan = plan(retry: .due)
        summary.awaitsPicture = nextPlan.awaitsPicture
        summary.nextRetry = nextPlan.nextRetry
        if leavesDueDays, summary.obstacle == nil {
            summary.leftToNextSync = nextPlan.days.count
        } else if !nextPlan.days.isEmpty {
            // Days are still due because of the obstacle, or because the request for the list of their entries failed.
            let pause = RetryDelay.failedList / .seconds(1)
            summary.nextRetry = synchronizer.now().addingTimeInterval(pause)
        }
    }

    /// The days of `range` of which nobody knows at the end of the sync whether they are complete, and why.
    private func unknownDays(in range: ClosedRange<Day>) -> [Day: SystemError] {
        if snapshot.unreadable.isEmpty, recordedAtStart.unreadable.isEmpty { return [:] }
        // This sync may have published some of them. After an error, they are as they were at the start of the sync.
        let current = store.snapshots.reuse() ?? snapshot
        let recorded = (try? store.recordedDays(in: current)) ?? recordedAtStart
        var unknown: [Day: SystemError] = [:]
        for day in range where !Day.neverPublished.contains(day) && !self[day].hasNoPicture {
            unknown[day] = recorded.doubt(about: day, in: current)
        }
        return unknown
    }

    // MARK: Forgetting

    /// Ends the range at the days of `--since`, or at the oldest earlier day that is still missing.
    ///
    /// With `--since 30d`, NASA may publish a day more than 30 days late, or the disk may be full for so long.
    private mutating func shortenRange() {
        guard let range = nextState.range,
            let firstOfSince = nextState.since.range(newest: range.upperBound)?.lowerBound
        else { return }
        let earlierDays = range.prefix { $0 < firstOfSince }
        nextState.missingFrom = earlierDays.first(where: mayStillCome)
    }

    /// Whether NASA may have a picture of `day` that is not in the tree.
    private func mayStillCome(_ day: Day) -> Bool {
        guard !hasFiles(day), !Day.neverPublished.contains(day) else { return false }
        return self[day].state.retry?.mayStillCome ?? true
    }

    /// Forgets the retries of missing days that the mirror is not to have any more, for example after a shorter `--since`.
    private mutating func dropUnwantedRetries() {
        for (day, row) in days where row.state.retry?.hasFiles == false && !isWanted(day) {
            self[day].state = row.isRecorded ? .removed : .unknown
        }
    }

    /// Whether the mirror is to have `day`; unlike ``range``, this is known in a sync of single days, too.
    func isWanted(_ day: Day) -> Bool {
        if self[day].isAlwaysWanted { return true }
        if isExcluded(day) { return false }
        if let range = nextState.range { return range.contains(day) }
        return day <= (nextState.newest ?? .last)
    }
}
