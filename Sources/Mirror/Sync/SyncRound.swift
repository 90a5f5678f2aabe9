internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// One sync: reads the tree, makes a plan and carries it out.
///
/// The newest entry and the backlog are downloaded concurrently and independently: the newest picture
/// has a reserved slot, and a failure of one does not affect the other.
actor SyncRound {
    let synchronizer: Synchronizer
    let report: @Sendable (SyncEvent) -> Void
    /// The permits for downloads; a publication needs none, nor does a download that became slow.
    private let slots: AsyncSemaphore
    /// Whether to begin no further days of the backlog.
    private let isOver: @Sendable () -> Bool
    var state: SyncRoundState
    /// Whether the last request of the walk over older days was permitted.
    var isRecheckPermitted = false
    /// The failures of requests besides that for the newest entries.
    var failedRequests: [String] = []
    /// The hosts that did not answer in this sync.
    private let hosts: HostFailures

    init(
        _ synchronizer: Synchronizer, retry: SyncPlan.Retry,
        until isOver: @escaping @Sendable () -> Bool,
        report: @escaping @Sendable (SyncEvent) -> Void
    ) throws {
        self.synchronizer = synchronizer
        self.report = report
        self.isOver = isOver
        slots = AsyncSemaphore(max(1, synchronizer.options.jobs - 1))
        hosts = HostFailures(answering: synchronizer.client.upstream)
        state = try SyncRoundState(of: synchronizer, retry: retry)
        // The pauses of this process may be longer than the saved ones: saving may have failed.
        let pauses = synchronizer.client.hosts
        pauses.notBefore = state.known.hosts.mapValues(\.timeIntervalSince1970)
            .merging(pauses.notBefore) { max($0, $1) }
    }

    func run() async -> SyncSummary {
        for text in state.problems { reportProblem(text) }
        let backlog = claim()
        async let today: Void = pollNewest()
        async let earlier: Void = downloadBacklog(backlog)
        _ = await (today, earlier)
        await recheck()
        let isOutage = [.unreachable, .unusable].contains(state.summary.obstacle?.kind)
        if !isOutage { for text in failedRequests { reportProblem(text) } }
        applyRetention()
        attempt { try state.close() }
        return state.summary
    }

    /// Claims the due days that no task of this sync handles yet.
    ///
    /// - Returns: Those to download; unreadable days and days from the trash are finished already.
    private func claim() -> [Day] {
        let days = state.claim()
        if !days.isEmpty { report(.planned(days: days.count)) }
        return days.filter { day in
            if let error = state.obstruction(of: day) {
                apply(day, .localError, error)
                return false
            }
            return !returnFromTrash(day)
        }
    }

    // MARK: The newest entry

    private func pollNewest() async {
        do throws(FeedError) {
            let (list, newest) = try await newestList()
            await process(list, newest: newest)
        } catch {
            recordFailure(error, isObstacle: true)
        }
        if hasReservedSlot { slots.addPermit() }
    }

    /// The list of NASA's newest entries, and the newest day in it that is not in the future.
    private func newestList() async throws(FeedError) -> (FeedPage, Day) {
        let list = try await synchronizer.feed.newest()
        if let other = list.entries.first(where: { !state.isOfFeed($0) }) {
            let url = synchronizer.client.upstream.map { "\($0)" } ?? "NASA"
            recordFailure(
                .unusable("\(url) answers in the format of the feed “\(other.feed.rawValue)”"),
                isObstacle: true)
        }
        if let newest = newest(in: list) { return (list, newest) }
        // All entries are dated in the future: request those up to tomorrow by date.
        reportFuture(list.entries)
        if let last = state.dates.last {
            let lists = try await synchronizer.feed.pager(
                over: last.advanced(by: 1 - SyncPlan.pageSize)...last)
            while let list = try await lists.next() {
                if let newest = newest(in: list) { return (list, newest) }
            }
        }
        throw .unusable(
            "all newest entries of NASA are dated in the future; check the clock of this machine")
    }

    private func newest(in list: FeedPage) -> Day? {
        // A day that is here was published, whatever NASA serves for it now.
        let rejected = list.rejections.compactMap(\.day).filter(state.hasFiles)
        return state.dates.newest(of: list.entries.map(\.day) + rejected)
    }

    private func reportFuture(_ entries: [Entry]) {
        for entry in entries {
            synchronizer.transferMetrics.add(.unusable)
            reportProblem(
                "rejected the entry “\(entry.title)”: its date \(entry.day) is in the future")
        }
    }

    /// Downloads the newest entry and, concurrently, what else of `list` is due or edited.
    private func process(_ list: FeedPage, newest: Day) async {
        reportFuture(list.entries.filter { $0.day > newest })
        let entries = list.entries.filter { $0.day <= newest }
        state.record(newest: newest, polled: entries)
        // Only NASA knows which day is its newest: the clock of this machine may be wrong.
        if case .day(let day) = synchronizer.options.since, day > newest {
            reportProblem(
                "--since \(day): NASA's newest day is \(newest); nothing is mirrored until then")
        }
        // Views show what is newest by the stored state.
        attempt { try state.saveNewest() }
        let due = claim()
        record(list.rejections.filter { $0.day.map(due.contains) ?? true })
        let newestEntry = entries.first { $0.day == newest }
        let isClaimed =
            due.contains(newest) || newestEntry.map { state.claimUpdate($0) } ?? false
        async let today: Void = downloadNewest(isClaimed ? newestEntry : nil)
        async let rest: Void = downloadBacklog(
            newestEntry == nil ? due : due.filter { $0 != newest },
            alreadyLoaded: entries.filter { $0.day != newest }
        )
        _ = await (today, rest)
    }

    /// Downloads the newest entry in its reserved slot; `nil` if nothing is to be downloaded.
    private func downloadNewest(_ entry: Entry?) async {
        guard let entry else { return }
        if hasReservedSlot { return apply(await update(entry)) }
        guard let permit = try? await slots.permit() else { return }
        await download(entry, with: permit)
    }

    private var hasReservedSlot: Bool { synchronizer.options.jobs > 1 }

    // MARK: The backlog

    /// How many days without a slot, published or slowly downloaded, the window has besides the downloads.
    private static let waitingDays = 4

    /// Downloads `days` in a sliding window; each is reported as soon as it is finished.
    ///
    /// - Parameters:
    ///   - days: Claimed days, requested in this order.
    ///   - entries: Entries at hand; those of days that are here may be edits.
    func downloadBacklog(_ days: [Day], alreadyLoaded entries: [Entry] = []) async {
        await withTaskGroup(of: Void.self) { group in
            var window = 0
            func begin(_ entry: Entry) async {
                if window == synchronizer.options.jobs + Self.waitingDays {
                    await group.next()
                    window -= 1
                }
                // Waits here, so that days are downloaded in their order.
                guard let permit = try? await slots.permit() else { return }
                group.addTask { await self.download(entry, with: permit) }
                window += 1
            }

            var remaining = Set(days)
            for entry in entries
            where remaining.remove(entry.day) != nil || state.claimUpdate(entry) {
                await begin(entry)
            }
            let search = EntrySearch(synchronizer.feed, for: days.filter(remaining.contains))
            var next = await search.next()
            // At least one day is begun, whatever the time: each sync makes progress.
            while !isStopped, let result = next, window == 0 || !leavesRest() {
                // Requested while the entries of this result are downloaded.
                async let following = search.next()
                guard let found = accept(result) else { return }
                for entry in found {
                    if window > 0, leavesRest() { return }
                    await begin(entry)
                }
                next = await following
            }
        }
    }

    /// Whether the time is over; the summary then says that days are left to the next sync.
    private func leavesRest() -> Bool {
        guard isOver() else { return false }
        state.summary.isUnfinished = true
        return true
    }

    /// Applies what `result` says of days without a usable entry.
    ///
    /// - Returns: The entries to download; `nil` if `--keep` spares neither these nor any older days.
    private func accept(_ result: EntrySearch.Result) -> [Entry]? {
        switch result {
        case .failure(let error, let day):
            recordFailure(error, isObstacle: false)
            if let day { apply(EntryOutcome(day, error.outcome)) }
            return []
        case .page(let entries, let rejections, let unpublished):
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

    private func download(_ entry: Entry, with permit: AsyncSemaphore.Permit) async {
        defer { permit.release() }
        let isExcluded = state.isExcluded(entry.day) && !state.hasFiles(entry.day)
        guard !isStopped, !isExcluded || state.isRemoved(entry.day) else { return }
        apply(await update(entry, isTextOnly: isExcluded) { permit.release() })
    }

    private func update(
        _ entry: Entry, isTextOnly: Bool = false,
        releaseSlot: @escaping @Sendable () -> Void = {}
    ) async -> EntryOutcome {
        let (now, state) = (synchronizer.now(), state[entry.day])
        let skipsMirrors = state.retry?.skipsMirrors(at: now) ?? false
        return await EntryDownloader(
            synchronizer: synchronizer, entry: entry,
            isDue: !isTextOnly && state.permitsDownload(at: now),
            isTextOnly: isTextOnly,
            isSuspect: self.state.suspects.contains(entry.day),
            mirrors: skipsMirrors ? [] : synchronizer.options.mirrors,
            releaseSlot: releaseSlot, hosts: hosts
        ).update()
    }

    // MARK: Outcomes

    var isStopped: Bool { state.summary.isOutOfSpace || Task.isCancelled }

    /// Puts an outcome into the state, and reports it.
    func apply(_ outcome: EntryOutcome) {
        switch outcome.result {
        case .cancelled: return
        // Concurrent downloads fail for the same reason: report it once.
        case .noSpace where isStopped: return
        case .noSpace(let message):
            synchronizer.transferMetrics.add(.noSpace)
            reportProblem(message)
        case .incomplete(.localError, _, _): synchronizer.transferMetrics.add(.disk)
        default: break
        }
        state.apply(outcome)
        let isPlanned = state.finish(outcome.day)
        switch outcome.result {
        case .unchanged where !isPlanned: return
        // Counted only now: the entry of a day that was not planned may have no news.
        case .downloaded, .edited, .incomplete, .noSpace, .returned:
            if !isPlanned { report(.planned(days: 1)) }
        case .cancelled, .removed, .unchanged: break
        }
        report(.day(outcome))
    }

    private func apply(_ day: Day, _ cause: RetryState.Cause, _ reason: String) {
        apply(EntryOutcome(day, .incomplete(cause, reason: reason, record: nil)))
    }

    private func record(_ rejections: [EntryRejection]) {
        for rejection in rejections {
            synchronizer.transferMetrics.add(.unusable)
            if let day = rejection.day {
                apply(day, .unusable, rejection.reason)
            } else {
                reportProblem(rejection.reason)
            }
        }
    }
}
