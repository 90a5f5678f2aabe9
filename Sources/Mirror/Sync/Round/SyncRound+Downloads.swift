internal import APOD
internal import Platform
internal import Transfer

/// What a sync downloads: first NASA's newest entries, then the backlog, which are the older days that are due.
extension SyncRound {
    // MARK: The newest entries

    /// Polls NASA's list of the newest entries, and downloads what is new in it, and the days that are due.
    func syncNewest() async {
        do throws(FeedError) {
            let (list, newest) = try await newestList()
            await downloadEntries(of: list, newest: newest)
        } catch {
            reportFailedPoll(error)
        }
    }

    /// The list of NASA's newest entries, and the newest day in it that is not in the future.
    private func newestList() async throws(FeedError) -> (FeedPage, Day) {
        let poll = try await synchronizer.routes.poll(state.dates, at: synchronizer.now())
        let list = poll.list
        feeds = poll.feeds
        state.recordFailureOfAPI(poll.failures[.api])
        for (route, reason) in poll.failures.sorted(by: { $0.key < $1.key }) {
            reportProblem("\(route.name) cannot be used: \(reason)")
        }
        if let other = list.entries.first(where: { !state.isOfCurrentFeed($0) }) {
            // The list is used nevertheless: new days are better than none, and it edits no day that is here.
            let url = synchronizer.client.upstream.map { "\($0)" } ?? "NASA"
            let failure = Obstacle(
                ofRequest: .unusable(
                    "\(url) answers in the format of the feed “\(other.feed.rawValue)”"),
                to: synchronizer.routes.api.kind)
            reportFailure(failure.text)
        }
        // A day that is here was published, even if NASA serves an invalid entry for it now.
        let rejected = list.rejections.compactMap(\.day).filter(state.hasFiles)
        let newest = state.dates.newest(of: list.entries.map(\.day) + rejected)
        return (list, newest ?? poll.feeds.newest)
    }

    /// Downloads the newest entry and, concurrently, what else of `list` is due or edited.
    private func downloadEntries(of list: FeedPage, newest: Day) async {
        for entry in list.entries where entry.day > newest {
            reportProblem(
                "rejected the entry “\(entry.title)”: its date \(entry.day) is in the future")
        }
        let entries = list.entries.filter { $0.day <= newest }
        state.recordPoll(newest: newest, entries: entries)
        // Only NASA knows which day is its newest, as the clock of this machine may be wrong.
        if case .day(let day) = synchronizer.options.since, day > newest {
            reportProblem(
                "--since \(day): NASA's newest day is \(newest); nothing is mirrored until then")
        }
        // Views read from the saved state which day is the newest.
        attempt { try state.saveIfNewestChanged() }
        // Only now, as the newest day decides which days are due.
        var due = claimDueDays()
        apply(list.rejections.filter { $0.day.map(due.contains) ?? true })
        for rejection in list.rejections {
            // The day is not due before NASA has an entry of it.
            if let day = rejection.day, day > newest {
                reportProblem("\(day): \(rejection.reason)")
            }
        }
        let downloads = synchronizer.downloads
        var download: CancellableContinuation?
        // If an earlier newest day still comes slowly, no slot is free, and the entry is the first of the backlog.
        if let entry = entries.first(where: { $0.day == newest }),
            let slot = downloads.slots.freePermit() ?? downloads.slotOfNewest.freePermit()
        {
            let isClaimed = due.contains(newest) || state.claimUpdate(entry)
            due.removeAll { $0 == newest }
            download = isClaimed ? begin(entry, in: slot) : nil
            // With one job, this is the only slot of the backlog.
            if download == nil { slot.release() }
        }
        await downloadBacklog(
            due, alreadyLoaded: entries.filter { state[$0.day].work != .underWay })
        try? await download?.wait()
    }

    // MARK: The backlog

    /// Downloads `days`, several at a time, until all have ended or the sync is to end.
    ///
    /// Favorites and damaged days come first. While they wait for one of their slots, the others begin.
    ///
    /// `days` are claimed, and requested in this order. `entries` came in a list: they save requests for days that are
    /// due, and may be edits of days that are here.
    func downloadBacklog(_ days: [Day], alreadyLoaded entries: [Entry] = []) async {
        let slots = synchronizer.downloads.slots
        let first = days.filter { state[$0].isRequestedFirst }
        let firstEntries = entries.filter { state[$0.day].isRequestedFirst }
        guard !first.isEmpty || !firstEntries.isEmpty else {
            return await downloadDays(days, entries, in: slots)
        }
        let isWaiting = CancellableContinuation()
        async let favorites: Void = downloadDays(
            first, firstEntries, in: synchronizer.downloads.slotsOfFavorites, waiting: isWaiting)
        try? await isWaiting.wait()
        await downloadDays(
            days.filter { !state[$0].isRequestedFirst },
            entries.filter { !state[$0.day].isRequestedFirst }, in: slots)
        await favorites
    }

    /// Downloads `days` in `slots`; resumes `waiting` when a day has to wait for a slot, and at the end.
    ///
    /// The sync may end from the first answer on: a list of entries, a wait for a slot, or the end of the search.
    private func downloadDays(
        _ days: [Day], _ entries: [Entry], in slots: AsyncSemaphore,
        waiting: CancellableContinuation? = nil
    ) async {
        defer {
            answerAboutBacklog.resume()
            waiting?.resume()
        }
        await withDiscardingTaskGroup { group in
            let due = Set(days)
            /// Whether the download of a due day has begun. An edit of a day that is here does not count.
            var hasBegun = false
            /// Begins the download of an entry; returns `false` if the sync ends before a slot is free.
            func begin(_ entry: Entry) async -> Bool {
                var slot = slots.freePermit()
                if slot == nil {
                    waiting?.resume()
                    answerAboutBacklog.resume()
                    // The entries after this one wait, too, so that days are downloaded in their order.
                    slot = try? await slots.permit()
                }
                guard let slot else { return false }
                // After a full disk, no other day is tried.
                if !state.summary.isOutOfSpace, let download = self.begin(entry, in: slot) {
                    hasBegun = hasBegun || due.contains(entry.day)
                    group.addTask { try? await download.wait() }
                }
                return true
            }

            var remaining = due
            for entry in entries
            where remaining.remove(entry.day) != nil || state.claimUpdate(entry) {
                guard await begin(entry) else { return leaveRest(waitingFor: slots) }
            }
            var search = EntrySearch(feeds, for: days.filter(remaining.contains))
            var next: EntrySearch.Answer?
            (next, search) = await search.advanced()
            answerAboutBacklog.resume()
            while !state.summary.isOutOfSpace, let found = next {
                // At least one day begins, so that each sync makes progress.
                if hasBegun, mustEnd { break }
                // The next request is sent while the entries of this answer are downloaded.
                let searchAfterAnswer = search
                async let following = searchAfterAnswer.advanced()
                guard let entries = entriesToDownload(of: found) else { return }
                for entry in entries {
                    if hasBegun, mustEnd { return leaveRest(waitingFor: slots) }
                    guard await begin(entry) else { return leaveRest(waitingFor: slots) }
                }
                (next, search) = await following
            }
            if mustEnd, next != nil || search.hasRest { leaveRest(waitingFor: slots) }
        }
    }

    private var mustEnd: Bool { isEnding || Task.isCancelled }

    /// Leaves days to the next sync, which follows as soon as one of their `slots` is free.
    private func leaveRest(waitingFor slots: AsyncSemaphore) {
        if isEnding { slotsOfRest.append(slots) }
    }

    /// Applies what `answer` says about days without a usable entry.
    ///
    /// - Returns: The entries to download; `nil` to end the search, because `--keep` excludes these and all older days.
    private func entriesToDownload(of answer: EntrySearch.Answer) -> [Entry]? {
        switch answer {
        case .failure(let error, let day):
            recordFailedRequest(error)
            if let day { apply(EntryOutcome(day, error.outcome(by: feeds[day].route))) }
            return []
        case .list(let entries, let rejections, let unpublished):
            apply(rejections)
            for day in unpublished {
                let route = feeds[day].route
                apply(
                    day, .unpublished.proved(by: route),
                    "\(route == .api ? "NASA" : route.name) has no entry for that day yet")
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

    /// Begins the download of the claimed day of `entry`.
    ///
    /// - Returns: What is resumed at the end; `nil` if the day is not kept, or a verification reads its files now.
    func begin(_ entry: Entry, in slot: AsyncSemaphore.Permit) -> CancellableContinuation? {
        let isExcluded = state.isExcluded(entry.day) && !state.hasFiles(entry.day)
        guard !isExcluded || state.isRemoved(entry.day) else { return nil }
        let now = synchronizer.now()
        let day = state[entry.day]
        let scope: EntryDownloader.Scope =
            if isExcluded {
                .textOnly
            } else if day.state.permitsDownload(at: now, retry: state.retryPolicy) {
                .all
            } else {
                .lost
            }
        let skipsMirrors = day.state.retry?.skipsMirrors(at: now) ?? false
        let downloader = EntryDownloader(
            synchronizer: synchronizer, entry: entry, scope: scope, isSuspect: day.isSuspect,
            classicMirrors: skipsMirrors ? [] : synchronizer.options.mirrors,
            slot: slot, hosts: hostFailures)
        let download = synchronizer.downloads.begin(entry.day, in: slot) {
            await downloader.update()
        }
        if download != nil { state[entry.day].work = .underWay }
        return download
    }
}
