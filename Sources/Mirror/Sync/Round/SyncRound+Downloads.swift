internal import APOD
internal import Platform
internal import Transfer

/// What a sync downloads: NASA's newest entries, and the backlog, which is all older days that are due.
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
    private func newestList() async throws(FeedError) -> (FeedPage, Day) {
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
        for entry in list.entries where entry.day > newest {
            reportProblem(
                "rejected the entry “\(entry.title)”: its date \(entry.day) is in the future")
        }
        let entries = list.entries.filter { $0.day <= newest }
        state.recordPoll(newest: newest, entries: entries)
        // NASA's newest day decides, and not the clock of this machine, which may be wrong.
        if case .day(let day) = synchronizer.options.since, day > newest {
            reportProblem(
                "--since \(day): NASA's newest day is \(newest); nothing is mirrored until then")
        }
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
        let downloads = synchronizer.downloads
        var download: CancellableContinuation?
        // If no slot is free, because an earlier newest day is still downloaded, the entry is the first of the backlog.
        if let entry = entries.first(where: { $0.day == newest }),
            let slot = downloads.slots.freePermit() ?? downloads.slotOfNewest.freePermit()
        {
            let isClaimed = due.contains(newest) || state.claimUpdate(entry)
            due.removeAll { $0 == newest }
            download = isClaimed ? begin(entry, in: slot) : nil
            // Otherwise, with `--jobs 1`, the backlog would wait for its only slot.
            if download == nil { slot.release() }
        }
        await downloadBacklog(
            due, alreadyLoaded: entries.filter { state[$0.day].work != .underWay })
        try? await download?.wait()
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
        let first = days.filter { state[$0].isRequestedFirst }
        let firstEntries = entries.filter { state[$0.day].isRequestedFirst }
        guard !first.isEmpty || !firstEntries.isEmpty else {
            return await downloadDays(days, alreadyLoaded: entries, in: slots)
        }
        let isWaiting = CancellableContinuation()
        async let favorites: Void = downloadDays(
            first, alreadyLoaded: firstEntries, in: synchronizer.downloads.slotsOfFavorites,
            waiting: isWaiting)
        try? await isWaiting.wait()
        await downloadDays(
            days.filter { !state[$0].isRequestedFirst },
            alreadyLoaded: entries.filter { !state[$0.day].isRequestedFirst }, in: slots)
        await favorites
    }

    /// Downloads `days` in `slots`; resumes `waiting` when a day has to wait for a slot, and at the end.
    ///
    /// From the first answer on, the sync may end early. An answer is a list of entries, or the need to wait for a slot.
    private func downloadDays(
        _ days: [Day], alreadyLoaded entries: [Entry], in slots: AsyncSemaphore,
        waiting: CancellableContinuation? = nil
    ) async {
        defer {
            answerAboutBacklog.resume()
            waiting?.resume()
        }
        await withDiscardingTaskGroup { group in
            let due = Set(days)
            /// Whether the download of a due day has begun; an edit of a day in the mirror does not count.
            var hasBegun = false
            /// Begins the download of an entry; returns `false` if the sync ends before a slot is free.
            func begin(_ entry: Entry) async -> Bool {
                var slot = slots.freePermit()
                if slot == nil {
                    waiting?.resume()
                    answerAboutBacklog.resume()
                    // This wait delays the following entries, too, so that days are downloaded in their order.
                    slot = try? await slots.permit()
                }
                guard let slot else { return false }
                // When the disk is full, no other day is tried.
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
                // The sync does not end before a day has begun, so that each sync makes progress.
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

    /// Notes that this sync leaves days to the next one, which follows as soon as one of their `slots` is free.
    private func leaveRest(waitingFor slots: AsyncSemaphore) {
        if isEnding { slotsOfRest.append(slots) }
    }

    /// Applies the failures of the days for which `answer` has no usable entry.
    ///
    /// - Returns: The entries to download; `nil` to end the search, because `--keep` excludes these days and all older ones.
    private func entriesToDownload(of answer: EntrySearch.Answer) -> [Entry]? {
        switch answer {
        case .failure(let error, let day):
            recordFailedRequest(error)
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
            synchronizer: synchronizer, entry: entry, scope: scope, isDamaged: day.isDamaged,
            isAdopted: day.isAdopted,
            classicMirrors: skipsMirrors ? [] : synchronizer.options.mirrors,
            slot: slot, hosts: hostFailures)
        let download = synchronizer.downloads.begin(entry.day, in: slot) {
            await downloader.update()
        }
        if download != nil { state[entry.day].work = .underWay }
        return download
    }
}
