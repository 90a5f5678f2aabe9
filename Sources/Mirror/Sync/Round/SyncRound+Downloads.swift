internal import APOD
internal import Platform
internal import Transfer

/// What a sync downloads: NASA's newest entries, and the backlog, which is all older days that are due.
///
/// A day goes through four steps. The sync claims it, so that it is requested once; when its entry is there, the day gets a
/// slot, of which there are as many as `--jobs` says; its download begins; and when the download has ended, the slot is free.
extension SyncRound {
    // MARK: The newest entries

    /// Polls NASA's list of the newest entries; downloads the new and edited days in it, and all days that are due.
    func syncNewest() async {
        do throws(FeedError) {
            let (list, newest) = try await newestList()
            await downloadEntries(of: list, newest: newest)
        } catch {
            reportFailedPoll(error)
        }
    }

    /// Polls; returns NASA's list of the newest entries, and the newest day in it that is not in the future.
    private func newestList() async throws(FeedError) -> (list: FeedPage, newest: Day) {
        let poll = try await synchronizer.routes.poll(state.dates, at: synchronizer.now())
        let list = poll.list
        feeds = poll.feeds
        state.recordFailureOfAPI(poll.failures[.api])
        for (route, reason) in poll.failures.sorted(by: { $0.key < $1.key }) {
            reportProblem("\(route.name) cannot be used: \(reason)")
        }
        if let other = list.entries.first(where: { !state.isOfCurrentFeed($0) }) {
            // The list is used nevertheless, because new days are better than none. It edits no day that is here.
            let url = synchronizer.client.upstream.map { "\($0)" } ?? "NASA"
            let failure = Obstacle(
                ofRequest: .unusable(
                    "\(url) answers in the format of the feed “\(other.feed.rawValue)”"),
                to: synchronizer.routes.api.kind)
            reportFailure(failure.text)
        }
        // A day in the mirror was published, even if NASA's entry of it is invalid now.
        let rejected = list.rejections.compactMap(\.day).filter(state.hasFiles)
        let newest = state.dates.newest(of: list.entries.map(\.day) + rejected)
        return (list, newest ?? poll.feeds.newest)
    }

    /// Downloads the newest entry of `list`, and at the same time the backlog with the other entries that are due or edited.
    private func downloadEntries(of list: FeedPage, newest: Day) async {
        reportFutureDays(in: list, after: newest)
        let entries = list.entries.filter { $0.day <= newest }
        state.recordPoll(newest: newest, entries: entries)
        // Views read from `state.json` which day is the newest.
        attempt { try state.saveIfNewestChanged() }
        // Claimed after the poll, because the newest day decides which days are due.
        var due = claimDueDays()
        applyRejections(list.rejections.filter { $0.day.map(due.contains) ?? true })
        for rejection in list.rejections {
            // A day after the newest one is not due, so that nothing else reports its rejection.
            if let day = rejection.day, day > newest {
                reportProblem("\(day): \(rejection.reason)")
            }
        }
        let newestDownload = entries.first { $0.day == newest }
            .flatMap { beginNewest($0, removingFrom: &due) }
        await downloadBacklog(
            due, alreadyLoaded: entries.filter { state[$0.day].work != .underWay })
        try? await newestDownload?.wait()
    }

    /// Reports the entries that have a date in the future, and a `--since` in the future.
    ///
    /// NASA's `newest` day decides, and not the clock of this machine, which may be wrong.
    private func reportFutureDays(in list: FeedPage, after newest: Day) {
        for entry in list.entries where entry.day > newest {
            reportProblem(
                "rejected the entry “\(entry.title)”: its date \(entry.day) is in the future")
        }
        if case .day(let since) = synchronizer.options.since, since > newest {
            reportProblem(
                "--since \(since): NASA's newest day is \(newest); nothing is mirrored until then")
        }
    }

    /// Begins the download of NASA's newest `entry`, and removes its day from the `due` days; `nil` if nothing was begun.
    ///
    /// If no slot is free, because an earlier newest day is still downloaded, the day stays the first of the backlog.
    private func beginNewest(
        _ entry: Entry, removingFrom due: inout [Day]
    ) -> CancellableContinuation? {
        let downloads = synchronizer.downloads
        guard let slot = downloads.slots.freePermit() ?? downloads.slotOfNewest.freePermit()
        else { return nil }
        let isClaimed = due.contains(entry.day) || state.claimUpdate(entry)
        due.removeAll { $0 == entry.day }
        let download = isClaimed ? begin(entry, in: slot) : nil
        // Otherwise, with `--jobs 1`, the backlog would wait for its only slot.
        if download == nil { slot.release() }
        return download
    }

    // MARK: The backlog

    /// Downloads `days`, several at a time, until all have ended or the sync is to end.
    ///
    /// Favorites and damaged days come first, in slots of their own. The others begin when these wait for a slot.
    ///
    /// - Parameters:
    ///   - days: The claimed days, in the order of their requests.
    ///   - entries: Entries that came in a list. They save requests for due days, and may be edits of days in the mirror.
    func downloadBacklog(_ days: [Day], alreadyLoaded entries: [Entry] = []) async {
        let slots = synchronizer.downloads.slots
        let urgentDays = days.filter { state[$0].isUrgent }
        let urgentEntries = entries.filter { state[$0.day].isUrgent }
        guard !urgentDays.isEmpty || !urgentEntries.isEmpty else {
            return await downloadDays(days, alreadyLoaded: entries, in: slots)
        }
        let firstWait = CancellableContinuation()
        async let urgent: Void = downloadDays(
            urgentDays, alreadyLoaded: urgentEntries, in: synchronizer.downloads.slotsOfFavorites,
            resumingAtWait: firstWait)
        try? await firstWait.wait()
        await downloadDays(
            days.filter { !state[$0].isUrgent },
            alreadyLoaded: entries.filter { !state[$0.day].isUrgent }, in: slots)
        await urgent
    }

    /// The part of the backlog that is downloaded in one group of slots.
    private struct BacklogPart {
        let slots: AsyncSemaphore
        let due: Set<Day>
        /// Resumed when an entry has to wait for a slot, and at the end.
        let firstWait: CancellableContinuation?
        /// Whether the download of a due day has begun; an edit of a day in the mirror does not count.
        var hasBegun = false
    }

    /// Whether a part of the backlog has nothing left for this sync, or ends before, because the sync has to end.
    private enum BacklogEnd { case complete, early }

    /// Downloads `days` in `slots`; resumes `firstWait` when a day has to wait for a slot, and at the end.
    private func downloadDays(
        _ days: [Day], alreadyLoaded entries: [Entry], in slots: AsyncSemaphore,
        resumingAtWait firstWait: CancellableContinuation? = nil
    ) async {
        defer {
            answerAboutBacklog.resume()
            firstWait?.resume()
        }
        await withDiscardingTaskGroup { group in
            var part = BacklogPart(slots: slots, due: Set(days), firstWait: firstWait)
            let end = await download(days, alreadyLoaded: entries, of: &part, in: &group)
            // The next sync follows as soon as one of the slots is free.
            if end == .early, isEnding { slotsOfLeftDays.append(slots) }
        }
    }

    /// Begins the downloads of `entries`, then requests the entries of the other `days`, and begins their downloads.
    ///
    /// From the first answer on, the sync may end early. An answer is a list of entries, or the need to wait for a slot.
    private func download(
        _ days: [Day], alreadyLoaded entries: [Entry], of part: inout BacklogPart,
        in group: inout DiscardingTaskGroup
    ) async -> BacklogEnd {
        var remaining = part.due
        for entry in entries
        where remaining.remove(entry.day) != nil || state.claimUpdate(entry) {
            guard await begin(entry, of: &part, in: &group) else { return .early }
        }
        let firstSearch = EntrySearch(feeds, for: days.filter(remaining.contains))
        var (next, search) = await firstSearch.advanced()
        answerAboutBacklog.resume()
        while !state.summary.isOutOfSpace, let answer = next {
            // The sync does not end before a day has begun, so that each sync makes progress.
            if part.hasBegun, mustEnd { return .early }
            // The next request is sent while the entries of this answer are downloaded. Each `return` cancels it. A constant,
            // because `async let` must not use a variable.
            let searchAfterAnswer = search
            async let following = searchAfterAnswer.advanced()
            guard let entries = entriesToDownload(of: answer) else { return .complete }
            for entry in entries {
                if part.hasBegun, mustEnd { return .early }
                guard await begin(entry, of: &part, in: &group) else { return .early }
            }
            (next, search) = await following
        }
        return mustEnd && (next != nil || search.hasRest) ? .early : .complete
    }

    /// Begins the download of `entry` as soon as a slot is free; returns `false` if the sync ends before.
    private func begin(
        _ entry: Entry, of part: inout BacklogPart, in group: inout DiscardingTaskGroup
    ) async -> Bool {
        var slot = part.slots.freePermit()
        if slot == nil {
            part.firstWait?.resume()
            answerAboutBacklog.resume()
            // This wait delays the following entries, too, so that days are downloaded in their order.
            slot = try? await part.slots.permit()
        }
        guard let slot else { return false }
        // When the disk is full, no other day is tried.
        guard !state.summary.isOutOfSpace, let download = begin(entry, in: slot)
        else { return true }
        part.hasBegun = part.hasBegun || part.due.contains(entry.day)
        group.addTask { try? await download.wait() }
        return true
    }

    private var mustEnd: Bool { isEnding || Task.isCancelled }

    /// Applies the failures of the days for which `answer` has no usable entry.
    ///
    /// - Returns: The entries to download; `nil` to end the search, because `--keep` excludes these days and all older ones.
    private func entriesToDownload(of answer: EntrySearch.Answer) -> [Entry]? {
        switch answer {
        case .failure(let error, let day):
            noteFailedRequest(error)
            if let day { apply(EntryOutcome(day, error.outcome(by: feeds[day].route))) }
            return []
        case .list(let entries, let rejections, let unpublished):
            applyRejections(rejections)
            for day in unpublished {
                let route = feeds[day].route
                applyFailure(
                    of: day, .unpublished.proved(by: route),
                    "\(route == .api ? "NASA" : route.name) has no entry for that day yet")
            }
            // Days are requested newest first, so that the remaining ones are older.
            if !entries.isEmpty, entries.allSatisfy({ state.isExcluded($0.day) }) { return nil }
            return entries.filter { entry in
                if state.dates.contains(entry.day) { return true }
                applyFailure(of: entry.day, .unusable, "its entry has a date in the future")
                return false
            }
        }
    }

    /// Begins the download of the claimed day of `entry`.
    ///
    /// - Returns: A continuation that the end of the download resumes; `nil` if nothing was begun, because the day is not kept,
    ///   or because a verification reads its files now.
    func begin(_ entry: Entry, in slot: AsyncSemaphore.Permit) -> CancellableContinuation? {
        let isExcluded = state.isExcluded(entry.day) && !state.hasFiles(entry.day)
        guard !isExcluded || state.isRemoved(entry.day) else { return nil }
        let now = synchronizer.now()
        let row = state[entry.day]
        let scope: EntryDownloader.Scope =
            if isExcluded {
                .textOnly
            } else if row.state.permitsDownload(at: now, retry: state.retryPolicy) {
                .all
            } else {
                .lost
            }
        let skipsMirrors = row.state.retry?.skipsMirrors(at: now) ?? false
        let downloader = EntryDownloader(
            synchronizer: synchronizer, entry: entry, scope: scope, isDamaged: row.isDamaged,
            hasAdoptedPicture: row.hasAdoptedPicture,
            classicMirrors: skipsMirrors ? [] : synchronizer.options.mirrors,
            slot: slot, hosts: hostFailures)
        let download = synchronizer.downloads.begin(entry.day, in: slot) {
            await downloader.update()
        }
        if download != nil { state[entry.day].work = .underWay }
        return download
    }
}
