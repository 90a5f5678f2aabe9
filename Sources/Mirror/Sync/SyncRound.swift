internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// One sync: ``run()`` shows the order of its steps.
///
/// ``Synchronizer`` makes one at start, on schedule and on request. The newest entry and the backlog, which are
/// the older days that are due, are downloaded concurrently: the newest picture has a slot of its own, and a
/// failure of one does not affect the other. What the sync knows is in ``SyncRoundState``, which this actor alone
/// changes: ``Downloads`` send it their outcomes. Extensions have the problems, the recheck of older entries, and
/// `--keep`.
actor SyncRound {
    let synchronizer: Synchronizer
    let report: @Sendable (SyncEvent) -> Void
    /// The permits for downloads; a publication needs none, nor does a download that became slow or outlives its sync.
    private let slots: AsyncSemaphore
    var state: SyncRoundState
    /// The failures of requests besides that for the newest entries.
    var failedRequests: [String] = []
    /// The hosts that did not answer in this sync.
    private let hostFailures: HostFailures

    // MARK: Its end

    /// Resumed when the sync is to end before its downloads.
    private let endRequest: CancellableContinuation
    /// What the end waits for, so that syncs which are ended again and again make progress: NASA's list of the newest
    /// entries, and the first answer about the backlog.
    private let (answerOfPoll, answerAboutBacklog) =
        (CancellableContinuation(), CancellableContinuation())
    /// Whether to begin no further days of the backlog.
    private var isEnding = false

    init(
        _ synchronizer: Synchronizer, retry: SyncPlan.Retry, reusesWalk: Bool,
        endingOn endRequest: CancellableContinuation,
        report: @escaping @Sendable (SyncEvent) -> Void
    ) throws {
        self.synchronizer = synchronizer
        self.report = report
        self.endRequest = endRequest
        slots = AsyncSemaphore(max(1, synchronizer.options.jobs - 1))
        hostFailures = HostFailures(answering: synchronizer.client.upstream)
        state = try SyncRoundState(
            of: synchronizer, retry: retry, reusesWalk: reusesWalk,
            underWay: synchronizer.downloads.days)
        // The pauses of this process may be longer than the saved ones: saving may have failed.
        let pauses = synchronizer.client.hosts
        pauses.notBefore = state.nextState.hosts.mapValues(\.timeIntervalSince1970)
            .merging(pauses.notBefore) { max($0, $1) }
    }

    func run() async -> SyncSummary {
        let downloads = synchronizer.downloads
        for outcome in downloads.begin(self) {
            // At the start of this sync the disk had room again.
            if case .noSpace = outcome.result {
                state[outcome.day].work = .none
            } else {
                apply(outcome)
            }
        }
        for error in state.snapshot.readErrors { reportProblem(SyncRoundState.text(error)) }
        for path in state.edited.values.sorted() {
            report(.notice("\(path) was changed: \(SyncRoundState.fateOfEdits)"))
        }
        reportUnfinishedDownloads()
        recordReturnedFiles()
        restoreWholeFiles()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.requestDays() }
            group.addTask { await self.waitForEnd() }
            // The end cancels requests and waits, but no download.
            await group.next()
            group.cancelAll()
        }
        if Task.isCancelled { await downloads.cancel() }
        downloads.endRound().forEach(apply)
        // The obstacle was reported; most other requests failed for the same reason.
        let isOutage = [.network, .clock].contains(state.summary.obstacle?.kind)
        if !isOutage { for problem in failedRequests { reportProblem(problem) } }
        applyRetention()
        attempt { try state.close() }
        return state.summary
    }

    /// Takes back what is whole in `damaged/`, before NASA is asked for it.
    private func restoreWholeFiles() {
        guard state.hasWalked else { return }
        let incomplete = state.days(where: {
            $0.work == .none && $0.isRecorded && (!$0.state.hasFiles || $0.isSuspect)
        })
        for record in synchronizer.store.restoreFromDamaged(incomplete) {
            guard let path = record.mediaPath else { continue }
            apply(
                EntryOutcome(
                    record.entry.day, title: record.entry.title, didPublish: true,
                    .downloaded(path: path, bytes: 0)))
        }
    }

    /// Requests the entries of all days that are due, and waits for their downloads.
    private func requestDays() async {
        let backlog = claimDueDays()
        async let newest: Void = syncNewest()
        async let older: Void = downloadBacklog(backlog, answered: answerAboutBacklog)
        _ = await (newest, older)
        await recheck()
    }

    /// Returns when the sync is to end before its downloads, which then go on.
    private func waitForEnd() async {
        do {
            try await endRequest.wait()
            isEnding = true
            try await answerOfPoll.wait()
            try await answerAboutBacklog.wait()
        } catch {
            // Cancelled, or all is done.
        }
    }

    /// Claims the due days that are not handled yet.
    ///
    /// - Returns: Those to download; unreadable days are finished already.
    private func claimDueDays() -> [Day] {
        let days = state.claimDueDays()
        if !days.isEmpty { report(.planned(days: days.count)) }
        return days.filter { day in
            guard let error = state.obstruction(of: day) else { return true }
            apply(day, .localError, error)
            return false
        }
    }

    // MARK: The newest entries

    /// Polls NASA's list of the newest entries, and downloads what is new in it.
    private func syncNewest() async {
        defer { answerOfPoll.resume() }
        do throws(FeedError) {
            if let (list, newest) = try await newestList() {
                await download(list, newest: newest)
            }
        } catch {
            reportObstacle(error)
        }
        if hasReservedSlot { slots.addPermit() }
    }

    /// The list of NASA's newest entries, and the newest day in it that is not in the future; `nil`, which is reported, if
    /// all are.
    private func newestList() async throws(FeedError) -> (FeedPage, Day)? {
        let list = try await synchronizer.feed.newest()
        if let other = list.entries.first(where: { !state.isOfCurrentFeed($0) }) {
            // The list is used nevertheless: new days are better than none, and it edits no day that is here.
            let url = synchronizer.client.upstream.map { "\($0)" } ?? "NASA"
            let failure = Obstacle(
                ofRequest: .unusable(
                    "\(url) answers in the format of the feed “\(other.feed.rawValue)”"),
                to: synchronizer.feed.kind)
            reportProblem(failure.text)
            state.recordFailure(failure.text)
        }
        // A day that is here was published, whatever NASA serves for it now.
        let rejected = list.rejections.compactMap(\.day).filter(state.hasFiles)
        if let newest = state.dates.newest(of: list.entries.map(\.day) + rejected) {
            return (list, newest)
        }
        report(
            Obstacle(
                .clock,
                "all newest entries of NASA are dated in the future; check the clock of this machine"
            ))
        return nil
    }

    /// Downloads the newest entry and, concurrently, what else of `list` is due or edited.
    private func download(_ list: FeedPage, newest: Day) async {
        for entry in list.entries where entry.day > newest {
            reportProblem(
                "rejected the entry “\(entry.title)”: its date \(entry.day) is in the future")
        }
        let entries = list.entries.filter { $0.day <= newest }
        state.recordPoll(newest: newest, entries: entries)
        // Only NASA knows which day is its newest: the clock of this machine may be wrong.
        if case .day(let day) = synchronizer.options.since, day > newest {
            reportProblem(
                "--since \(day): NASA's newest day is \(newest); nothing is mirrored until then")
        }
        // Views show what is newest by the stored state.
        attempt { try state.saveIfNewestChanged() }
        // Which days are due depends on the newest one.
        var due = claimDueDays()
        record(list.rejections.filter { $0.day.map(due.contains) ?? true })
        // From here on the sync may end; the newest day begins before.
        answerOfPoll.resume()
        var others = entries.filter { $0.day != newest }
        guard let entry = entries.first(where: { $0.day == newest }) else {
            return await downloadBacklog(due, alreadyLoaded: others)
        }
        guard hasReservedSlot else {
            others.insert(entry, at: 0)
            return await downloadBacklog(due, alreadyLoaded: others)
        }
        let isClaimed = due.contains(newest) || state.claimUpdate(entry)
        due.removeAll { $0 == newest }
        let download = isClaimed ? begin(entry, HeldPermits()) : nil
        async let first: Void? = try? download?.wait()
        async let rest: Void = downloadBacklog(due, alreadyLoaded: others)
        _ = await (first, rest)
    }

    private var hasReservedSlot: Bool { synchronizer.options.jobs > 1 }

    // MARK: The backlog

    /// Downloads `days`, several at a time; each is reported as soon as it is finished.
    ///
    /// Returns when all have ended, or when the sync is to end.
    ///
    /// - Parameters:
    ///   - days: Claimed days, requested in this order.
    ///   - entries: Entries at hand; those of days that are here may be edits.
    ///   - answer: Resumed by the first answer to a request, or once there is none to wait for.
    func downloadBacklog(
        _ days: [Day], alreadyLoaded entries: [Entry] = [],
        answered answer: CancellableContinuation? = nil
    ) async {
        defer { answer?.resume() }
        await withDiscardingTaskGroup { group in
            var hasBegun = false
            func begin(_ entry: Entry) async {
                let downloads = synchronizer.downloads
                let isFirst = state[entry.day].isRequestedFirst
                let places = isFirst ? downloads.placesOfFavorites : downloads.places
                // Waits here, so that days are downloaded in their order.
                guard let place = try? await places.permit(), let permit = try? await slots.permit()
                else { return leaveRest() }
                // After a full disk, no other day is tried.
                guard !state.summary.isOutOfSpace,
                    let download = self.begin(entry, HeldPermits(permit), in: place)
                else { return }
                hasBegun = true
                group.addTask { try? await download.wait() }
            }

            var remaining = Set(days)
            for entry in entries
            where remaining.remove(entry.day) != nil || state.claimUpdate(entry) {
                await begin(entry)
            }
            var search = EntrySearch(synchronizer.feed, for: days.filter(remaining.contains))
            var next: EntrySearch.Answer?
            (next, search) = await search.advanced()
            answer?.resume()
            while !state.summary.isOutOfSpace, let found = next {
                // At least one day is begun, whatever the time: each sync makes progress.
                if hasBegun, mustEnd { break }
                // Requested while the entries of this answer are downloaded.
                let searchAfterAnswer = search
                async let following = searchAfterAnswer.advanced()
                guard let entries = entriesToDownload(of: found) else { return }
                for entry in entries {
                    if hasBegun, mustEnd { return leaveRest() }
                    await begin(entry)
                }
                (next, search) = await following
            }
            if mustEnd, next != nil || search.hasRest { leaveRest() }
        }
    }

    private var mustEnd: Bool { isEnding || Task.isCancelled }

    /// Lets the summary say that days are left to the next sync.
    private func leaveRest() {
        if isEnding { state.summary.isUnfinished = true }
    }

    /// Applies what `answer` says of days without a usable entry.
    ///
    /// - Returns: The entries to download; `nil` to end the search, because `--keep` excludes these days and
    ///   so all older ones.
    private func entriesToDownload(of answer: EntrySearch.Answer) -> [Entry]? {
        switch answer {
        case .failure(let error, let day):
            recordFailedRequest(error)
            if let day { apply(EntryOutcome(day, error.outcome)) }
            return []
        case .list(let entries, let rejections, let unpublished):
            record(rejections)
            for day in unpublished {
                apply(day, .unpublished, "NASA has no entry for that day yet")
            }
            // Days are requested newest first.
            if !entries.isEmpty, entries.allSatisfy({ state.isExcluded($0.day) }) { return nil }
            return entries.filter { entry in
                if state.dates.contains(entry.day) { return true }
                apply(entry.day, .unusable, "its entry has a date in the future")
                return false
            }
        }
    }

    /// Begins the download of the claimed day of `entry`; returns what is resumed at its end, or `nil`.
    private func begin(
        _ entry: Entry, _ permits: HeldPermits, in place: AsyncSemaphore.Permit? = nil
    ) -> CancellableContinuation? {
        let isExcluded = state.isExcluded(entry.day) && !state.hasFiles(entry.day)
        guard !isExcluded || state.isRemoved(entry.day) else { return nil }
        let now = synchronizer.now()
        let day = state[entry.day]
        let scope: EntryDownloader.Scope =
            isExcluded
            ? .textOnly
            : day.state.permitsDownload(at: now, retry: state.retryPolicy) ? .all : .lost
        let skipsMirrors = day.state.retry?.skipsMirrors(at: now) ?? false
        let downloader = EntryDownloader(
            synchronizer: synchronizer, entry: entry, scope: scope,
            isSuspect: day.isSuspect,
            classicMirrors: skipsMirrors ? [] : synchronizer.options.mirrors,
            permits: permits, hosts: hostFailures)
        let download = synchronizer.downloads.begin(entry.day, permits, in: place) {
            await downloader.update()
        }
        if download != nil { state[entry.day].work = .underWay }
        return download
    }

    // MARK: Outcomes

    var isStopped: Bool { state.summary.isOutOfSpace || Task.isCancelled }

    /// Applies what ended since the last call.
    func applyOutcomes() { synchronizer.downloads.takeOutcomes(for: self).forEach(apply) }

    /// Puts an outcome into the state, and reports it.
    func apply(_ outcome: EntryOutcome) {
        state[outcome.day].work = .ended
        switch outcome.result {
        case .cancelled: return
        // Concurrent downloads fail for the same reason: report it once.
        case .noSpace where isStopped: return
        case .noSpace(let obstacle): reportProblem(obstacle.text)
        default: break
        }
        if outcome.didPublish {
            for problem in outcome.entryProblems {
                reportProblem("\(outcome.day): left out of its record: \(problem)")
            }
        }
        state.apply(outcome)
        if !state.finishPlanned(outcome.day) {
            switch outcome.result {
            case .unchanged: return
            case .removed: break
            // Counted only now: its entry might have had no news.
            default: report(.planned(days: 1))
            }
        }
        report(.day(outcome))
    }

    private func apply(_ day: Day, _ cause: RetryState.Cause, _ reason: String) {
        apply(EntryOutcome(day, .incomplete(DayProblem(cause, reason))))
    }

    private func record(_ rejections: [EntryRejection]) {
        for rejection in rejections {
            if let day = rejection.day {
                apply(day, .unusable, rejection.reason)
            } else {
                reportProblem(rejection.reason)
            }
        }
    }
}
