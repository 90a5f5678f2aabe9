internal import APOD
internal import FoundationEssentials

/// Enters into the state of a sync what the sync finds out: NASA's newest day, the outcome of each day, and failures.
///
/// The actor ``SyncRound`` calls these functions, and sends the same as ``SyncEvent`` to the log. They change the table of days,
/// the summary of the sync, and what `state.json` will have. Nothing is written to the disk yet.
extension SyncRoundState {
    // MARK: NASA's newest entries

    /// Records that NASA sent its list of the newest entries.
    mutating func recordPoll(newest: Day, entries: [Entry]) {
        nextState.newest = newestPublishedDay(atLeast: newest)
        for entry in entries { self[entry.day].isInNewestList = true }
        // After an error, the days stay that were kept before.
        try? updateRetention()
        let now = synchronizer.now()
        nextState.lastSuccess = now
        nextState.clock = max(now, recordedTime ?? now)
        sawNewest = true
    }

    /// NASA's newest day: the newest one in its list, or a later one in the mirror, because then the list is outdated.
    ///
    /// A day that came before it began does not count: NASA has corrected its date, and will publish another entry of that day.
    private func newestPublishedDay(atLeast newestInList: Day) -> Day {
        let published = daysWithFiles.filter { $0 <= newestInList || !cameBeforeItBegan($0) }
        return max(newestInList, dates.newest(of: published) ?? newestInList)
    }

    /// Whether the entry of `day` came when it was still tomorrow, by UTC; `false` if its record cannot be read.
    ///
    /// NASA publishes a day at 00:05 in New York, when the day has begun in UTC, too. So such an entry had a wrong date.
    private func cameBeforeItBegan(_ day: Day) -> Bool {
        guard let record = try? store.knownRecord(of: day) else { return false }
        return record.lastChanged < day.startInUTC
    }

    /// Records why not all days come by NASA's API, and since when; the `reason` is `nil` if all days do.
    mutating func recordFailureOfAPI(_ reason: String?) {
        let since = nextState.apiFailure?.at ?? synchronizer.now()
        nextState.apiFailure = reason.map { SyncState.Failure(at: since, message: $0) }
    }

    // MARK: Outcomes of days

    /// Records that all files of `day` are in the tree again without a request, as if they had been there at the start.
    ///
    /// If the picture is a reduced copy, it still waits for its retry.
    mutating func recordReturn(of day: Day) {
        var saved = stateOnDisk.retries[day]
        if saved?.cause == .localError { saved = nil }
        self[day].state = DayState(hasFiles: true, isRecorded: true, saved: saved)
        store.snapshots.recordChange(of: day)
        retention.updateDay(day)
    }

    /// Enters the outcome of a day into its row, the summary, and all that depends on the files of the day.
    mutating func apply(_ outcome: EntryOutcome) {
        let earlier = self[outcome.day].state
        var later = earlier.after(outcome, at: synchronizer.now())
        if editedFiles[outcome.day] != nil { later.retry = later.retry?.explainingEdit() }
        self[outcome.day].state = later
        recordRoute(of: outcome)
        summary.add(outcome)
        if isNews(outcome, from: earlier, to: later) { summary.hasNews = true }
        // A person has put a file back since the walk, or taken it away. The snapshot has to read the day again.
        if later.hasFiles != earlier.hasFiles { store.snapshots.recordChange(of: outcome.day) }
        if outcome.mayHaveNewFiles {
            retention.updateDay(outcome.day)
            if case .bytes = options.keep { try? updateRetention() }
        }
        recordFailure(in: outcome, hadFiles: earlier.hasFiles)
    }

    /// Whether views or `status` have to show something new after this outcome.
    private func isNews(
        _ outcome: EntryOutcome, from earlier: DayState, to later: DayState
    ) -> Bool {
        if case .unchanged = outcome.result { return outcome.didPublish || later != earlier }
        return true
    }

    /// Records by which *route* a day came, such as NASA's RSS feed, if it did not come by NASA's API.
    ///
    /// The route is forgotten when the API has sent the day, and also when the API has no usable entry of it.
    private mutating func recordRoute(of outcome: EntryOutcome) {
        let route: Route?
        switch outcome.route {
        case .rss?, .classic?: route = outcome.route
        case .api?: route = nil
        case nil:
            let cause = outcome.result.problem?.cause
            guard cause == .unpublished || cause == .unusable else { return }
            route = nil
        }
        var routes = nextState.otherRoutes ?? [:]
        routes[outcome.day] = route
        nextState.otherRoutes = routes.isEmpty ? nil : routes
    }

    // MARK: Failures

    /// Records a failure, perhaps of a single day, as the last error that `status` prints.
    mutating func recordProblem(_ message: String) {
        hasProblem = true
        summary.hasNews = true
        nextState.lastError = SyncState.Failure(at: synchronizer.now(), message: message)
    }

    /// Records a failure that the number of missing days does not show; the summary has the first one.
    mutating func recordSummaryFailure(_ text: String) {
        if summary.failure == nil { summary.failure = text }
    }

    /// Records what prevents all downloads: the first obstacle of the sync, or a full disk even if it comes later.
    mutating func recordObstacle(_ obstacle: Obstacle) {
        if summary.obstacle == nil || obstacle.kind == .space { summary.obstacle = obstacle }
        // The disk may be full only when the state is written, after these days were counted: then the schedule decides.
        summary.leftToNextSync = 0
    }

    /// Records why a day failed, if it did; `hadFiles` says whether the day had files before.
    private mutating func recordFailure(in outcome: EntryOutcome, hadFiles: Bool) {
        if case .noSpace(let obstacle) = outcome.result { recordObstacle(obstacle) }
        guard let problem = outcome.result.problem else { return }
        if machineObstacle == nil { machineObstacle = problem.obstacle }
        // The summary counts the missing days of the range, and shows no other day.
        let isCountedAsMissing = !hadFiles && range?.contains(outcome.day) == true
        let isOfThisMachine = [.localError, .doesNotFit].contains(problem.cause)
        guard isOfThisMachine, !isCountedAsMissing else { return }
        recordSummaryFailure("\(outcome.day): \(problem.advice)")
    }
}

extension EntryOutcome {
    /// Whether files may have been published, so that the day may have another size.
    fileprivate var mayHaveNewFiles: Bool {
        switch result {
        case .downloaded, .partial, .missing, .incomplete: didPublish
        case .cancelled, .edited, .noSpace, .removed, .unchanged: false
        }
    }
}
