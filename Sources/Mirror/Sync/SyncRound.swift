internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// One sync: ``run()`` shows the order of its steps.
///
/// ``Synchronizer`` makes one at start, on schedule and on request. The newest entry and the backlog, which are
/// the older days that are due, are downloaded concurrently: the newest picture has a slot of its own, and a
/// failure of one does not affect the other. What the sync knows is in ``SyncRoundState``; extensions have the
/// problems, the recheck of older entries, and `--keep`.
actor SyncRound {
    let synchronizer: Synchronizer
    let report: @Sendable (SyncEvent) -> Void
    /// The permits for downloads; a publication needs none, nor does a download that became slow.
    private let slots: AsyncSemaphore
    /// Whether to begin no further days of the backlog.
    private let isTimeOver: @Sendable () -> Bool
    var state: SyncRoundState
    /// The failures of requests besides that for the newest entries.
    var failedRequests: [String] = []
    /// The hosts that did not answer in this sync.
    private let hostFailures: HostFailures

    init(
        _ synchronizer: Synchronizer, retry: SyncPlan.Retry, reusesWalk: Bool,
        until isTimeOver: @escaping @Sendable () -> Bool,
        report: @escaping @Sendable (SyncEvent) -> Void
    ) throws {
        self.synchronizer = synchronizer
        self.report = report
        self.isTimeOver = isTimeOver
        slots = AsyncSemaphore(max(1, synchronizer.options.jobs - 1))
        hostFailures = HostFailures(answering: synchronizer.client.upstream)
        state = try SyncRoundState(of: synchronizer, retry: retry, reusesWalk: reusesWalk)
        // The pauses of this process may be longer than the saved ones: saving may have failed.
        let pauses = synchronizer.client.hosts
        pauses.notBefore = state.nextState.hosts.mapValues(\.timeIntervalSince1970)
            .merging(pauses.notBefore) { max($0, $1) }
    }

    func run() async -> SyncSummary {
        for error in state.snapshot.readErrors { reportProblem(SyncRoundState.text(error)) }
        reportUnfinishedDownloads()
        recordReturnedFiles()
        restoreWholeFiles()
        let backlog = claimDueDays()
        async let newest: Void = syncNewest()
        async let older: Void = downloadBacklog(backlog)
        _ = await (newest, older)
        await recheck()
        // The obstacle was reported; most other requests failed for the same reason.
        let isOutage = [.network, .clock].contains(state.summary.obstacle?.kind)
        if !isOutage { for problem in failedRequests { reportProblem(problem) } }
        applyRetention()
        attempt { try state.close() }
        return state.summary
    }

    /// Takes back what is whole in `damaged/`, before NASA is asked for it.
    private func restoreWholeFiles() {
        let incomplete = state.days(where: {
            $0.isRecorded && (!$0.state.hasFiles || $0.isSuspect)
        })
        for record in synchronizer.store.restoreFromDamaged(incomplete) {
            guard let path = record.mediaPath else { continue }
            apply(
                EntryOutcome(
                    record.entry.day, title: record.entry.title, didPublish: true,
                    .downloaded(path: path, bytes: 0)))
        }
    }

    /// Claims the due days that no task of this sync handles yet.
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
        let due = claimDueDays()
        record(list.rejections.filter { $0.day.map(due.contains) ?? true })
        let newestEntry = entries.first { $0.day == newest }
        let isClaimed =
            due.contains(newest) || newestEntry.map { state.claimUpdate($0) } ?? false
        async let first: Void = downloadNewest(isClaimed ? newestEntry : nil)
        async let rest: Void = downloadBacklog(
            newestEntry == nil ? due : due.filter { $0 != newest },
            alreadyLoaded: entries.filter { $0.day != newest }
        )
        _ = await (first, rest)
    }

    /// Downloads the newest entry, in its reserved slot if there is one; `nil` if nothing is to be downloaded.
    private func downloadNewest(_ entry: Entry?) async {
        guard let entry else { return }
        if hasReservedSlot { return await download(entry, with: nil) }
        guard let permit = try? await slots.permit() else { return }
        await download(entry, with: permit)
    }

    private var hasReservedSlot: Bool { synchronizer.options.jobs > 1 }

    // MARK: The backlog

    /// How many days may be under way beyond the downloads: they are published, or downloaded slowly; so a slow disk
    /// or a slow host delays no other download, and memory stays bounded.
    private static let daysWithoutSlot = 4

    /// Downloads `days`, several at a time; each is reported as soon as it is finished.
    ///
    /// - Parameters:
    ///   - days: Claimed days, requested in this order.
    ///   - entries: Entries at hand; those of days that are here may be edits.
    func downloadBacklog(_ days: [Day], alreadyLoaded entries: [Entry] = []) async {
        await withTaskGroup(of: Void.self) { group in
            var underWay = 0
            func begin(_ entry: Entry) async {
                if underWay == synchronizer.options.jobs + Self.daysWithoutSlot {
                    await group.next()
                    underWay -= 1
                }
                // Waits here, so that days are downloaded in their order.
                guard let permit = try? await slots.permit() else { return }
                group.addTask { await self.download(entry, with: permit) }
                underWay += 1
            }

            var remaining = Set(days)
            for entry in entries
            where remaining.remove(entry.day) != nil || state.claimUpdate(entry) {
                await begin(entry)
            }
            var search = EntrySearch(synchronizer.feed, for: days.filter(remaining.contains))
            var next: EntrySearch.Answer?
            (next, search) = await search.advanced()
            // At least one day is begun, whatever the time: each sync makes progress.
            while !isStopped, let answer = next, underWay == 0 || !leavesRest() {
                // Requested while the entries of this answer are downloaded.
                let searchAfterAnswer = search
                async let following = searchAfterAnswer.advanced()
                guard let found = entriesToDownload(of: answer) else { return }
                for entry in found {
                    if underWay > 0, leavesRest() { return }
                    await begin(entry)
                }
                (next, search) = await following
            }
        }
    }

    /// Whether the time is over; the summary then says that days are left to the next sync.
    private func leavesRest() -> Bool {
        guard isTimeOver() else { return false }
        state.summary.isUnfinished = true
        return true
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

    /// Downloads and publishes the day of `entry`, and releases its slot as soon as it needs none.
    private func download(_ entry: Entry, with permit: AsyncSemaphore.Permit?) async {
        defer { permit?.release() }
        let isExcluded = state.isExcluded(entry.day) && !state.hasFiles(entry.day)
        // A full disk does not keep the newest day, which has no permit, from its attempt.
        guard permit == nil || !isStopped, !isExcluded || state.isRemoved(entry.day) else {
            return
        }
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
            releaseSlot: { permit?.release() }, hosts: hostFailures)
        let outcome = await downloader.update()
        apply(outcome)
        guard outcome.didPublish else { return }
        for problem in entry.problems {
            reportProblem("\(entry.day): left out of its record: \(problem)")
        }
    }

    // MARK: Outcomes

    var isStopped: Bool { state.summary.isOutOfSpace || Task.isCancelled }

    /// Puts an outcome into the state, and reports it.
    func apply(_ outcome: EntryOutcome) {
        switch outcome.result {
        case .cancelled: return
        // Concurrent downloads fail for the same reason: report it once.
        case .noSpace where isStopped: return
        case .noSpace(let obstacle): reportProblem(obstacle.text)
        default: break
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
